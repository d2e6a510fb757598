import { Check, ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Field, type FieldControl, type FieldProps } from './field.tsx';
import { createLate, useLate, useOpensAtOnce } from './late.ts';
import styles from './select.module.css';

const late = createLate(async () => (await import('@base-ui/react/select')).Select);
type Base = Awaited<ReturnType<typeof late.load>>;

interface Choice<T extends string> {
  value: T;
  options: readonly (readonly [value: T, name: string])[];
  onChange(value: T): void;
}

/** A field with one of a few values. Until it is opened first it is its button and nothing else. */
export function SelectField<T extends string>(props: FieldProps & Choice<T>) {
  const { value, options, onChange, ...field } = props;
  const [isAsked, setAsked] = useState(false);
  const base = useLate(late, isAsked);
  return (
    <Field {...field}>
      {(control) =>
        isAsked && base !== null ? (
          <Opened base={base} control={control} {...{ value, options, onChange }} />
        ) : (
          <button
            type="button"
            role="combobox"
            aria-haspopup="listbox"
            aria-expanded={false}
            className={styles.trigger}
            onClick={() => setAsked(true)}
            onKeyDown={({ key }) => (key === 'ArrowDown' || key === 'ArrowUp') && setAsked(true)}
            {...control}
          >
            <span>{options.find(([option]) => option === value)?.[1]}</span>
            <Arrow />
          </button>
        )
      }
    </Field>
  );
}

const Arrow = () => <ChevronDown size={16} strokeWidth={1.5} aria-hidden />;

interface OpenedProps<T extends string> extends Choice<T> {
  base: Base;
  control: FieldControl;
}

function Opened<T extends string>({
  base: Base,
  control,
  value,
  options,
  onChange,
}: OpenedProps<T>) {
  const button = useOpensAtOnce();
  return (
    <Base.Root
      items={options.map(([option, name]) => ({ value: option, label: name }))}
      value={value}
      onValueChange={(next) => next !== null && onChange(next as T)}
    >
      <Base.Trigger ref={button} className={styles.trigger} {...control}>
        <Base.Value />
        <Arrow />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            {options.map(([option, name]) => (
              <Base.Item key={option} value={option} className={styles.item}>
                <span className={styles.check}>
                  <Base.ItemIndicator>
                    <Check size={16} aria-hidden />
                  </Base.ItemIndicator>
                </span>
                <Base.ItemText>{name}</Base.ItemText>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
