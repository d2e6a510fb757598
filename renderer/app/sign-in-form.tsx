import { type FormEvent, useState } from 'react';
import { signIn } from '#renderer/api/access.ts';
import { ApiProblem } from '#renderer/api/problem.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { TextField } from '#renderer/parts/field.tsx';
import styles from './sign-in-form.module.css';

/** Signs in by an API key. */
export function SignInForm({ onSignedIn }: { onSignedIn?(): void }) {
  const [key, setKey] = useState('');
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    try {
      await signIn({ key: key.trim() });
      setError(undefined);
      onSignedIn?.();
    } catch (problem) {
      setError(messageOf(problem));
    } finally {
      setSending(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <TextField
        label={text.signIn.key}
        hint={text.signIn.keyHint}
        error={error}
        name="key"
        type="password"
        autoComplete="current-password"
        value={key}
        onChange={(event) => setKey(event.target.value)}
        required
        autoFocus
      />
      <Button type="submit" kind="primary" disabled={isSending}>
        {isSending ? text.signIn.signingIn : text.signIn.submit}
      </Button>
    </form>
  );
}

function messageOf(problem: unknown): string {
  if (!(problem instanceof ApiProblem)) throw problem;
  return problem.fieldMessage('key') ?? problem.message;
}
