import { text } from '#renderer/messages/messages.ts';
import { ButtonLink } from '#renderer/parts/button.tsx';
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
        action={
          <ButtonLink to="/checks/new" kind="primary">
            {text.shell.newCheck}
          </ButtonLink>
        }
      />
    </>
  );
}
