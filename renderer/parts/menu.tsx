import { Check } from 'lucide-react';
import {
  cloneElement,
  createContext,
  type ReactElement,
  type ReactNode,
  use,
  useState,
} from 'react';
import { join } from './join.ts';
import { createLate, useLate, useOpensAtOnce } from './late.ts';
import styles from './menu.module.css';

const late = createLate(async () => (await import('@base-ui/react/menu')).Menu);
type Base = Awaited<ReturnType<typeof late.load>>;
const Loaded = createContext<Base | null>(null);

/** Of the menu around an item. */
function useBase(): Base {
  const base = use(Loaded);
  if (base === null) throw new Error('An item stands outside of a menu.');
  return base;
}

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>;
  align?: 'start' | 'end';
  children: ReactNode;
}

/** A menu of actions. Its items are the parts below. Until it is opened first it is its trigger and nothing else. */
export function Menu(props: MenuProps) {
  const [isAsked, setAsked] = useState(false);
  const base = useLate(late, isAsked);
  if (isAsked && base !== null) {
    return (
      <Loaded value={base}>
        <OpenedMenu {...props} />
      </Loaded>
    );
  }
  return cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setAsked(true),
  });
}

function OpenedMenu({ trigger, align = 'start', children }: MenuProps) {
  const Base = useBase();
  const button = useOpensAtOnce();
  return (
    <Base.Root modal={false}>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} collisionPadding={8}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ItemProps {
  onSelect(): void;
  icon?: ReactNode;
  /** What stands at its end, such as the key that does the same. */
  end?: ReactNode;
  isDanger?: boolean;
  isDisabled?: boolean;
  children: ReactNode;
}

export function MenuItem({ onSelect, icon, end, isDanger, isDisabled, children }: ItemProps) {
  const Base = useBase();
  return (
    <Base.Item
      className={join(styles.item, isDanger && styles.danger)}
      onClick={onSelect}
      disabled={isDisabled ?? false}
    >
      {icon}
      {children}
      {end !== undefined && <span className={styles.end}>{end}</span>}
    </Base.Item>
  );
}

/** An item that leads to an address outside of the interface. */
export function MenuLink({
  href,
  icon,
  children,
}: {
  href: string;
  icon?: ReactNode;
  children: ReactNode;
}) {
  const Base = useBase();
  return (
    <Base.LinkItem className={styles.item} href={href}>
      {icon}
      {children}
    </Base.LinkItem>
  );
}

/** An item that is on or off; the menu stays open. */
export function MenuCheck({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean;
  onChange(isOn: boolean): void;
  children: ReactNode;
}) {
  const Base = useBase();
  return (
    <Base.CheckboxItem
      className={styles.item}
      checked={isOn}
      onCheckedChange={onChange}
      closeOnClick={false}
    >
      <span className={styles.check}>{isOn && <Check size={16} aria-hidden />}</span>
      {children}
    </Base.CheckboxItem>
  );
}

/** Items of which exactly one is chosen. */
export function MenuChoice<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange(value: T): void;
}) {
  const Base = useBase();
  return (
    <Base.RadioGroup value={value} onValueChange={(next) => onChange(next as T)} aria-label={label}>
      <div className={styles.label}>{label}</div>
      {options.map(([option, name]) => (
        <Base.RadioItem key={option} value={option} className={styles.item}>
          <span className={styles.check}>
            {option === value && <Check size={16} aria-hidden />}
          </span>
          {name}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

export function MenuLine() {
  const Base = useBase();
  return <Base.Separator className={styles.line} />;
}
