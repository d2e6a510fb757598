import { type FormEvent, Suspense } from 'react';
import { useKeys } from '#renderer/app/keys.ts';
import { editorText } from '#renderer/messages/editor.ts';
import { Button } from '#renderer/parts/button.tsx';
import { FormProvider, type FormState } from '#renderer/parts/form/form.ts';
import { SaveBar } from '#renderer/parts/form/save-bar.tsx';
import { SkeletonBlock } from '#renderer/parts/skeleton.tsx';
import { CHECK_KINDS } from '#shared/checks/check.ts';
import type { CheckType } from '#shared/checks/enums.ts';
import styles from './check-editor.module.css';
import { EditorProvider } from './editor-context.ts';
import { AlertsSection } from './sections/alerts.tsx';
import { GeneralSection } from './sections/general.tsx';
import { NameInput } from './sections/name.tsx';
import { RetriesSection } from './sections/retries.tsx';
import { ScheduleSection } from './sections/schedule.tsx';
import { VariablesSection } from './sections/variables.tsx';
import { TrialProvider, useTrials } from './try-it/use-trial.ts';
import { TYPE_FORMS } from './types/type-forms.ts';

const words = editorText;
const TYPE_HEIGHT = 160;

/**
 * The form of a check of any type, in one column: what its type asks, then what all checks have, in sections that
 * can be skipped.
 */
export function CheckForm({
  type,
  checkId,
  form,
  saveLabel,
  onSubmit,
}: {
  type: CheckType;
  /** Of a check that exists. */
  checkId?: string;
  form: FormState;
  saveLabel: string;
  onSubmit(): void;
}) {
  const TypeForm = TYPE_FORMS[type];
  const trial = useTrials(type, checkId);
  const fields: object = CHECK_KINDS[type].fields;
  useKeys([{ key: 'mod+s', label: saveLabel, run: onSubmit }]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <FormProvider value={form}>
      <EditorProvider value={{ type, checkId }}>
        <TrialProvider value={trial}>
          <form ref={form.ref} className={styles.form} onSubmit={submit} noValidate>
            <DraftNote form={form} />
            <NameInput />
            <Suspense fallback={<SkeletonBlock height={TYPE_HEIGHT} />}>
              <TypeForm />
            </Suspense>
            <div className={styles.sections}>
              {type !== 'HEARTBEAT' && <ScheduleSection />}
              {'retryStrategy' in fields && <RetriesSection />}
              <AlertsSection />
              {'environmentVariables' in fields && <VariablesSection />}
              <GeneralSection />
            </div>
            <SaveBar form={form} label={saveLabel} />
          </form>
        </TrialProvider>
      </EditorProvider>
    </FormProvider>
  );
}

function DraftNote({ form }: { form: FormState }) {
  if (!form.isResumed || !form.isChanged) return null;
  return (
    <p className={styles.note} role="status">
      {words.resumed}
      <Button onClick={form.discard}>{words.discard}</Button>
    </p>
  );
}
