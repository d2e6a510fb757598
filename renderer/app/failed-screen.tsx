import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ApiProblem } from '#renderer/api/problem.ts';
import { text } from '#renderer/messages/messages.ts';
import { Button } from '#renderer/parts/button.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { NotFound } from './not-found.tsx';

/** What stands where a screen could not be drawn: why, and the way to try again. */
export function FailedScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof ApiProblem && error.status === 404) return <NotFound />;
  const again = () => {
    reset();
    void router.invalidate();
  };
  return (
    <EmptyState
      title={text.shell.failedTitle}
      text={error instanceof Error ? error.message : String(error)}
      action={<Button onClick={again}>{text.parts.retry}</Button>}
    />
  );
}
