import { editorText } from '#renderer/messages/editor.ts';
import { Button } from '#renderer/parts/button.tsx';
import type { FormState } from './form.ts';
import { Refusals } from './refusals.tsx';
import styles from './save-bar.module.css';

/** The end of a long form, always in sight: saves it, and says what was refused and has no field. */
export function SaveBar({ form, label }: { form: FormState; label: string }) {
  return (
    <div className={styles.bar}>
      {form.refusals.length > 0 && (
        <div className={styles.refusals}>
          <Refusals of={form.refusals} />
        </div>
      )}
      <Button type="submit" kind="primary" disabled={form.isSending}>
        {label}
      </Button>
      <span className={styles.standing}>{form.isChanged ? editorText.unsaved : ''}</span>
    </div>
  );
}
