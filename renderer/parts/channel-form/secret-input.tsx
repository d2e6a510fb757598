import type { ReactNode } from 'react';
import { channelText } from '#renderer/messages/alerting.ts';
import { Button } from '#renderer/parts/button.tsx';
import { TextInput, useMember } from '#renderer/parts/form/inputs.tsx';
import styles from './secret-input.module.css';

const words = channelText;

/** A secret: it is written and never shown. Where nothing is typed the one that is known stays. */
export function SecretInput({
  path,
  label,
  hint,
  kept,
  isOptional = false,
}: {
  path: string;
  label: string;
  hint?: ReactNode;
  /** What is said of the one that is known; undefined where there is none. */
  kept: string | undefined;
  /** Whether it may be taken away. */
  isOptional?: boolean;
}) {
  const { value, set } = useMember(path);
  // Null is none, and an empty text the one that is known.
  const isKnown = kept !== undefined && value !== null;
  return (
    <div className={styles.secret}>
      <TextInput
        path={path}
        label={label}
        hint={hint}
        type="password"
        autoComplete="new-password"
        empty={isKnown || !isOptional ? '' : null}
        {...(isKnown && { placeholder: kept })}
      />
      {isOptional && isKnown && (
        <Button kind="quiet" onClick={() => set(null)}>
          {words.remove}
        </Button>
      )}
    </div>
  );
}
