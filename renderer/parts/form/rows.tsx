import { Plus, X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Button } from '#renderer/parts/button.tsx';
import { useMember } from './inputs.tsx';
import styles from './rows.module.css';

interface RowsProps<T> {
  /** Of the list, dotted. */
  path: string;
  label: string;
  /** Whether the label is seen, as the list is one of several in its section. */
  isLabelled?: boolean;
  /** On the button that adds one. */
  addLabel: string;
  removeLabel(index: number): string;
  /** A row as it is added. */
  blank: T;
  /** The fields of one, side by side. */
  children(row: T, index: number): ReactNode;
}

/** A list whose items are added, filled in and taken away one by one. */
export function Rows<T>(props: RowsProps<T>) {
  const { path, label, isLabelled = false, addLabel, removeLabel, blank, children } = props;
  const { value, error, set } = useMember(path);
  const list = useRef<HTMLFieldSetElement>(null);
  const rows = Array.isArray(value) ? (value as T[]) : [];
  const add = () => {
    set([...rows, blank]);
    requestAnimationFrame(() =>
      list.current
        ?.querySelector<HTMLElement>(
          `li:last-child :is(input, textarea, [role=combobox]):not([type=hidden])`,
        )
        ?.focus(),
    );
  };
  return (
    <fieldset ref={list} className={styles.rows} data-path={path}>
      <legend className={isLabelled ? styles.label : styles.unseen}>{label}</legend>
      {rows.length > 0 && (
        <ul className={styles.list}>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the fields of a row go by its place
            <li key={index} className={styles.row}>
              <div className={styles.fields}>{children(row, index)}</div>
              <Button
                kind="quiet"
                isIcon
                aria-label={removeLabel(index + 1)}
                onClick={() => set(rows.toSpliced(index, 1))}
              >
                <X size={16} strokeWidth={1.5} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && <p className={styles.error}>{error}</p>}
      <Button onClick={add} className={styles.add ?? ''}>
        <Plus size={16} strokeWidth={1.5} aria-hidden />
        {addLabel}
      </Button>
    </fieldset>
  );
}

/** A field in a row: its label is only read aloud, as the rows are alike. */
export function RowField({
  path,
  label,
  isCode = false,
  placeholder,
  type,
  list,
}: {
  path: string;
  label: string;
  isCode?: boolean;
  placeholder?: string | undefined;
  type?: 'password';
  /** The id of a list of values that are offered. */
  list?: string | undefined;
}) {
  const { value, error, set, touch } = useMember(path);
  return (
    <div data-path={path} className={styles.field}>
      <input
        className={isCode ? styles.codeInput : styles.input}
        aria-label={label}
        aria-invalid={error === undefined ? undefined : true}
        placeholder={placeholder ?? label}
        {...(type && { type })}
        {...(list && { list })}
        autoComplete="off"
        value={value === null || value === undefined ? '' : String(value)}
        onChange={(event) => set(event.target.value)}
        onBlur={touch}
      />
      {error !== undefined && <p className={styles.error}>{error}</p>}
    </div>
  );
}
