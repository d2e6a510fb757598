import { useQueryClient } from '@tanstack/react-query';
import { api } from '#renderer/api/client.ts';
import { text } from '#renderer/messages/messages.ts';
import { variablesText } from '#renderer/messages/variables.ts';
import { Button } from '#renderer/parts/button.tsx';
import { Dialog, DialogActions } from '#renderer/parts/dialog.tsx';
import { FormProvider, useForm, useFormAround } from '#renderer/parts/form/form.ts';
import { TextAreaInput, TextInput } from '#renderer/parts/form/inputs.tsx';
import { Refusals } from '#renderer/parts/form/refusals.tsx';
import { SelectField } from '#renderer/parts/select.tsx';
import { toast } from '#renderer/parts/toast.tsx';
import { UsedBy } from '#renderer/parts/used-by/used-by.tsx';
import { kindOf, type VariableKind } from './variable-kind.ts';
import type { ShownVariable } from './variable-table.tsx';
import styles from './variables-screen.module.css';

const words = variablesText;

interface VariableBody {
  key: string;
  value: string;
  locked: boolean;
  secret: boolean;
}

/** The form of a variable. That of a secret knows its value as little as anybody does. */
export function VariableDialog({
  variable,
  onClose,
}: {
  variable?: ShownVariable;
  onClose(): void;
}) {
  const queries = useQueryClient();
  const form = useForm({
    name: `variable ${variable?.key ?? ''}`,
    base: { key: '', locked: false, secret: false, ...variable, value: variable?.value ?? '' },
    hints: () => [],
  });
  const save = async (members: unknown) => {
    const body = members as VariableBody;
    if (variable === undefined) await api('POST /v1/variables', { body });
    else await api('PUT /v1/variables/{key}', { params: { key: variable.key }, body });
    await queries.invalidateQueries({ queryKey: ['variables'] });
    toast(words.saved(body.key));
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={variable === undefined ? words.createTitle : words.editTitle(variable.key)}
    >
      <FormProvider value={form}>
        <form
          ref={form.ref}
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            void form.submit(save);
          }}
        >
          <TextInput path="key" label={words.key} hint={words.keyHint} isCode />
          <TextAreaInput
            path="value"
            label={words.value}
            hint={variable?.secret ? words.secretValueHint : undefined}
            rows={3}
            isCode
          />
          <KindInput isSecret={variable?.secret ?? false} />
          {variable !== undefined && (
            <UsedBy of={{ kind: 'variables', id: variable.key, name: variable.key }} />
          )}
          <Refusals of={form.refusals} />
          <DialogActions>
            <Button onClick={onClose}>{text.parts.cancel}</Button>
            <Button kind="primary" type="submit" disabled={form.isSending}>
              {words.save}
            </Button>
          </DialogActions>
        </form>
      </FormProvider>
    </Dialog>
  );
}

/** @param isSecret whether it was saved as a secret, which it stays */
function KindInput({ isSecret }: { isSecret: boolean }) {
  const form = useFormAround();
  const kind = kindOf(form.body);
  const kinds: readonly VariableKind[] = isSecret ? ['secret'] : ['plain', 'locked', 'secret'];
  return (
    <SelectField<VariableKind>
      label={words.kind}
      hint={words.kindHints[kind]}
      value={kind}
      options={kinds.map((one) => [one, words.kinds[one]])}
      onChange={(next) =>
        form.change((body) => ({ ...body, locked: next !== 'plain', secret: next === 'secret' }))
      }
    />
  );
}
