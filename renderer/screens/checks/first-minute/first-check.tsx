import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { SEGMENTS } from '#renderer/api/answers.ts';
import { api } from '#renderer/api/client.ts';
import { firstMinuteText } from '#renderer/messages/alerting.ts';
import { Button } from '#renderer/parts/button.tsx';
import { Field, inputClass } from '#renderer/parts/field.tsx';
import { dropDraft, readDraft, writeDraft } from '#renderer/parts/form/draft.ts';
import { join } from '#renderer/parts/join.ts';
import { type PastedCheck, pastedCheck } from '#shared/checks/pasted-check.ts';
import styles from './first-minute.module.css';

const words = firstMinuteText;
const DRAFT = 'first-check';
/** Minutes between runs. */
export const FREQUENCY = 1;

/** One field: what is pasted becomes a check, and runs at once. */
export function FirstCheck() {
  const [pasted, setPasted] = useState(() => readDraft<string>(DRAFT) ?? '');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    // Whoever opened a menu before it came stays there.
    if (!document.activeElement?.closest('[role=menu]')) field.current?.focus();
  }, []);
  const refuse = (message: string) => {
    setProblem(message);
    field.current?.focus();
  };
  const create = useMutation({
    mutationFn: makeAndRun,
    onSuccess: (id) => {
      dropDraft(DRAFT);
      return navigate({ to: '/', search: { first: id } });
    },
    onError: (error) => refuse(error.message),
  });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    const read = pastedCheck(pasted);
    if (read.check === undefined) refuse(words.problems[read.problem]);
    else create.mutate(read.check);
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Field label={words.field} error={problem}>
        {(control) => (
          <textarea
            {...control}
            ref={field}
            className={join(inputClass, styles.field)}
            rows={pasted.includes('\n') || pasted.length > 70 ? 6 : 1}
            placeholder={words.placeholder}
            spellCheck={false}
            value={pasted}
            onChange={(event) => {
              setPasted(event.target.value);
              writeDraft(DRAFT, event.target.value);
              setProblem(undefined);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey) return;
              event.preventDefault();
              submit();
            }}
          />
        )}
      </Field>
      <Button kind="primary" type="submit" disabled={create.isPending}>
        {create.isPending ? words.starting : words.watch}
      </Button>
    </form>
  );
}

/** Makes a check and has it run; answers its id. */
async function makeAndRun({ checkType, name, request }: PastedCheck): Promise<string> {
  const { id } = await api('POST /v1/checks/{segment}', {
    params: { segment: SEGMENTS[checkType] },
    query: {},
    body: { name, request, frequency: FREQUENCY },
  });
  await api('POST /v2/check-sessions/trigger', { body: { target: { checkId: [id] } } });
  return id;
}
