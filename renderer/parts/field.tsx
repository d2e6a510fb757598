import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';
import { join } from './join.ts';

export interface FieldProps {
  label: ReactNode;
  /** What helps to fill it in. */
  hint?: ReactNode;
  /** What the API says is wrong with it. */
  error?: ReactNode;
}

/** What connects a control with its label and messages. */
export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** A label, a control, and below it the hint or the API's message. */
export function Field({
  label,
  hint,
  error,
  children,
}: FieldProps & { children(control: FieldControl): ReactNode }) {
  const id = useId();
  const hasNote = Boolean(error ?? hint);
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': hasNote ? `${id}-note` : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hasNote && (
        <p id={`${id}-note`} className={error ? styles.error : styles.hint}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

/** A field for one line of text. */
export function TextField({
  label,
  hint,
  error,
  className,
  ...input
}: FieldProps & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <input className={join(styles.input, className)} {...control} {...input} />}
    </Field>
  );
}

/** The look of a text field, for other controls. */
export const inputClass = styles.input;
