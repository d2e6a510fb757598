import { text } from '#renderer/messages/messages.ts';
import { ButtonLink } from '#renderer/parts/button.tsx';
import { EmptyState } from '#renderer/parts/empty-state.tsx';

/** What stands at an address that no screen has, or whose record is gone. */
export function NotFound() {
  return (
    <EmptyState
      title={text.shell.notFoundTitle}
      text={text.shell.notFoundText}
      action={<ButtonLink to="/">{text.shell.toChecks}</ButtonLink>}
    />
  );
}
