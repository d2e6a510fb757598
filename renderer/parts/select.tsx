import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import { Field, type FieldProps } from './field.tsx';
import styles from './select.module.css';

interface SelectFieldProps<T extends string> extends FieldProps {
  value: T;
  options: readonly (readonly [value: T, name: string])[];
  onChange(value: T): void;
}

/** A field with one of a few values. */
export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { value, options, onChange, ...field } = props;
  const items = options.map(([option, name]) => ({ value: option, label: name }));
  return (
    <Field {...field}>
      {(control) => (
        <Base.Root
          items={items}
          value={value}
          onValueChange={(next) => next !== null && onChange(next as T)}
        >
          <Base.Trigger className={styles.trigger} {...control}>
            <Base.Value />
            <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
          </Base.Trigger>
          <Base.Portal>
            <Base.Positioner
              sideOffset={4}
              alignItemWithTrigger={false}
              className={styles.positioner}
            >
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
      )}
    </Field>
  );
}
