import { text } from '#renderer/messages/messages.ts';
import { EmptyState } from '#renderer/parts/empty-state.tsx';
import { PageHead } from '#renderer/parts/page-head.tsx';

/** What an appliance without checks greets with. */
export function FirstMinute() {
  return (
    <>
      <PageHead title={text.checks.title} />
      <EmptyState
        title={text.checks.emptyTitle}
        text={text.checks.emptyText}
        action={<a href="/docs">{text.checks.emptyAction}</a>}
      />
    </>
  );
}
