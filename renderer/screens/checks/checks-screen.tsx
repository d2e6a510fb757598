import { useTitle } from '#renderer/app/title.ts';
import { text } from '#renderer/messages/messages.ts';
import { EmptyState } from '#renderer/parts/empty-state.tsx';

/** Home: every check, what is wrong first. */
export function ChecksScreen() {
  useTitle(text.checks.title);
  return (
    <>
      <h1>{text.checks.title}</h1>
      <EmptyState
        title={text.checks.emptyTitle}
        text={text.checks.emptyText}
        action={<a href="/docs">{text.checks.emptyAction}</a>}
      />
    </>
  );
}
