import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '#renderer/api/client.ts';
import { ApiProblem } from '#renderer/api/problem.ts';
import { keysText } from '#renderer/messages/appliance.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { CopyButton } from '#renderer/parts/copy-button.tsx';
import { Dialog, DialogActions } from '#renderer/parts/dialog.tsx';
import { TextField } from '#renderer/parts/field.tsx';
import { toastFailure } from '#renderer/parts/toast.tsx';
import styles from './keys-screen.module.css';

const words = keysText;

/** Asks for a name, then shows the key: it is known only here and now. */
export function CreateKey({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [name, setName] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () => api('POST /app/keys', { body: { name } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
    onError: (error) => {
      if (fieldMessage(error) === undefined) toastFailure(error);
      field.current?.focus();
    },
  });
  const close = () => {
    if (create.data !== undefined) setName('');
    create.reset();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const { data: made } = create;
  if (made !== undefined) {
    return (
      <Dialog isOpen={isOpen} onClose={close} title={words.created(name)} text={words.createdText}>
        <output className={styles.key} aria-label={words.newKey}>
          <code>{made.key}</code>
        </output>
        <DialogActions>
          <Button onClick={close}>{words.done}</Button>
          <CopyButton value={made.key} />
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog isOpen={isOpen} onClose={close} title={words.createTitle}>
      <form onSubmit={submit}>
        <TextField
          ref={field}
          label={words.name}
          hint={words.nameHint}
          error={fieldMessage(create.error)}
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
        />
        <DialogActions>
          <Button onClick={close}>{text.parts.cancel}</Button>
          <Button kind="primary" type="submit" disabled={create.isPending}>
            {words.doCreate}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function fieldMessage(error: unknown): string | undefined {
  return error instanceof ApiProblem ? error.fieldMessage('name') : undefined;
}
