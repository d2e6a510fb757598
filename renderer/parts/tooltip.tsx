import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { createLate, useLate } from './late.ts';
import styles from './tooltip.module.css';

const late = createLate(async () => (await import('@base-ui/react/tooltip')).Tooltip);

const DELAY_MS = 400;
/** Long enough to move the pointer onto it. */
const LEAVE_MS = 100;

/** A few words beside what the pointer or the focus is on. Nothing that is needed stands only there. */
export function Tooltip({
  content,
  children,
}: {
  content: ReactNode;
  children: ReactElement<Record<string, unknown>>;
}) {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const [isOpen, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const Base = useLate(late, anchor !== null);
  const later = (open: boolean, ms: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(open), ms);
  };
  const show = ({ currentTarget }: SyntheticEvent) => {
    setAnchor(currentTarget);
    later(true, DELAY_MS);
  };
  const hide = () => later(false, LEAVE_MS);
  const pointed = { onPointerEnter: show, onPointerLeave: hide, onFocus: show, onBlur: hide };
  return (
    <>
      {cloneElement(children, pointed)}
      {Base !== null && anchor !== null && (
        <Base.Root open={isOpen} onOpenChange={(open) => open || later(false, 0)}>
          <Base.Portal>
            <Base.Positioner anchor={anchor} sideOffset={6} collisionPadding={8}>
              <Base.Popup
                className={styles.popup}
                onPointerEnter={() => later(true, 0)}
                onPointerLeave={hide}
              >
                {content}
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </>
  );
}
