import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { signIn } from '#renderer/api/access.ts';
import { ApiProblem } from '#renderer/api/problem.ts';
import { SignInForm } from '#renderer/app/sign-in-form.tsx';
import { useTitle } from '#renderer/app/title.ts';
import { text } from '#renderer/messages/messages.ts';
import styles from './sign-in-screen.module.css';

const route = getRouteApi('/sign-in');

/** Signs in by a key, or by the token of a link, which stands after the `#` and is removed at once. */
export function SignInScreen() {
  useTitle(text.signIn.submit);
  const { to } = route.useSearch();
  const router = useRouter();
  const goOn = () => router.history.replace(isOurs(to) ? to : '/');
  const link = useLink(goOn);
  if (link === 'tried') return null;
  return (
    <main className={styles.screen}>
      <h1>{text.signIn.title}</h1>
      {link !== null && <p className={styles.failed}>{link.message}</p>}
      <SignInForm onSignedIn={goOn} />
      <section className={styles.other}>
        <h2>{text.signIn.byLink}</h2>
        <p>{text.signIn.byLinkText}</p>
        <pre className={styles.command}>{text.signIn.command}</pre>
      </section>
    </main>
  );
}

/** Taken when the page is loaded, so that it neither stays in the address nor in the history. */
function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

let token = takeToken();

function useLink(onSignedIn: () => void): 'tried' | { message: string } | null {
  const [outcome, setOutcome] = useState<'tried' | { message: string } | null>(
    token === null ? null : 'tried',
  );
  useEffect(() => {
    const given = token;
    token = null;
    if (given === null) return;
    signIn({ token: given }).then(onSignedIn, (error: unknown) => {
      const message = error instanceof ApiProblem ? error.fieldMessage('token') : undefined;
      setOutcome({ message: message ?? text.signIn.linkFailed });
    });
  });
  return outcome;
}

/** A path of this appliance, and not the address of somebody else. */
function isOurs(to: string | undefined): to is string {
  return to !== undefined && new URL(to, location.origin).origin === location.origin;
}
