import { type ComponentProps, type ReactNode, useState } from 'react';
import { formText } from '#renderer/messages/editor.ts';
import { Field, inputClass, TextField } from '#renderer/parts/field.tsx';
import { join } from '#renderer/parts/join.ts';
import { SelectField } from '#renderer/parts/select.tsx';
import { SwitchField } from '#renderer/parts/switch.tsx';
import { useFormAround } from './form.ts';
import styles from './inputs.module.css';
import { isSame } from './members.ts';

/** Fields of the form around them: each shows and fills in the member at a path, and says what is wrong with it. */

interface InputProps {
  /** Of the member, dotted. */
  path: string;
  label: ReactNode;
  hint?: ReactNode;
}

/** The member at a path, as a field needs it. */
export function useMember(path: string) {
  const form = useFormAround();
  return {
    value: form.get(path),
    error: form.error(path),
    set: (value: unknown) => form.set(path, value),
    touch: () => form.touch(path),
  };
}

type Native = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'onBlur'>;

/** @param empty what an empty field means, where that is not the empty text */
export function TextInput({
  path,
  label,
  hint,
  empty = '',
  isCode = false,
  ...input
}: InputProps & Native & { empty?: null | ''; isCode?: boolean }) {
  const { value, error, set, touch } = useMember(path);
  return (
    <div data-path={path}>
      <TextField
        {...{ label, hint, error }}
        {...input}
        autoComplete={input.autoComplete ?? 'off'}
        className={isCode ? (styles.code ?? '') : ''}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => set(event.target.value === '' ? empty : event.target.value)}
        onBlur={touch}
      />
    </div>
  );
}

/** What is no number stays as it was typed, and the API says so. An empty field means null, or `empty`. */
export function NumberInput({
  path,
  label,
  hint,
  unit,
  empty = null,
  ...input
}: InputProps & Native & { unit?: string; empty?: null | undefined }) {
  const { value, error, set, touch } = useMember(path);
  return (
    <div data-path={path}>
      <Field {...{ label, hint, error }}>
        {(control) => (
          <span className={styles.number}>
            <input
              {...control}
              {...input}
              className={inputClass}
              inputMode="decimal"
              autoComplete="off"
              value={value === null || value === undefined ? '' : String(value)}
              onChange={(event) => set(numberOf(event.target.value, empty))}
              onBlur={(event) => {
                const number = Number(event.target.value);
                if (typeof value === 'string' && Number.isFinite(number)) set(number);
                touch();
              }}
            />
            {unit !== undefined && <span className={styles.unit}>{unit}</span>}
          </span>
        )}
      </Field>
    </div>
  );
}

function numberOf(typed: string, empty: null | undefined): number | string | null | undefined {
  const written = typed.trim();
  if (written === '') return empty;
  // `1.` and `-` are on their way to be numbers.
  return /^-?\d+(\.\d*[1-9])?$/.test(written) ? Number(written) : written;
}

export function TextAreaInput({
  path,
  label,
  hint,
  empty = '',
  rows = 3,
  isCode = false,
}: InputProps & { empty?: null | ''; rows?: number; isCode?: boolean }) {
  const { value, error, set, touch } = useMember(path);
  return (
    <div data-path={path}>
      <Field {...{ label, hint, error }}>
        {(control) => (
          <textarea
            {...control}
            className={join(inputClass, styles.area, isCode && styles.code)}
            rows={rows}
            spellCheck={!isCode}
            value={typeof value === 'string' ? value : ''}
            onChange={(event) => set(event.target.value === '' ? empty : event.target.value)}
            onBlur={touch}
          />
        )}
      </Field>
    </div>
  );
}

/** One of a few values, which may be texts, numbers, true, false or null. */
export function ChoiceInput<T extends string | number | boolean | null>({
  path,
  label,
  hint,
  options,
  fallback,
}: InputProps & {
  options: readonly (readonly [value: T, name: string])[];
  /** What is shown where nothing was chosen. */
  fallback: T;
}) {
  const { value, error, set } = useMember(path);
  return (
    <div data-path={path}>
      <SelectField
        {...{ label, hint, error }}
        value={JSON.stringify(value === undefined ? fallback : value)}
        options={options.map(([option, name]) => [JSON.stringify(option), name])}
        onChange={(chosen) => set(JSON.parse(chosen))}
      />
    </div>
  );
}

/**
 * @param isInverted whether the switch is on where the member is false
 * @param fallback what the member is where nothing was chosen
 */
export function SwitchInput({
  path,
  label,
  hint,
  isInverted = false,
  fallback = false,
}: InputProps & { isInverted?: boolean; fallback?: boolean }) {
  const { value = fallback, set } = useMember(path);
  return (
    <div data-path={path}>
      <SwitchField
        label={label}
        hint={hint}
        isOn={isInverted ? value !== true : value === true}
        onChange={(isOn) => set(isInverted ? !isOn : isOn)}
      />
    </div>
  );
}

/** Short texts, such as tags, parted by commas. */
export function WordsInput({ path, label, hint }: InputProps) {
  const { value, error, set, touch } = useMember(path);
  const words = Array.isArray(value) ? (value as string[]) : [];
  // A comma at the end is no word yet, and stays where it was typed.
  const [typed, setTyped] = useState('');
  return (
    <div data-path={path}>
      <TextField
        {...{ label, hint, error }}
        autoComplete="off"
        placeholder={formText.byCommas}
        value={isSame(wordsOf(typed), words) ? typed : words.join(', ')}
        onChange={(event) => {
          setTyped(event.target.value);
          set(wordsOf(event.target.value));
        }}
        onBlur={touch}
      />
    </div>
  );
}

function wordsOf(typed: string): string[] {
  return [...new Set(typed.split(',').map((word) => word.trim()))].filter(Boolean);
}
