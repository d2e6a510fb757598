import { text } from '#renderer/messages/messages.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

/** What stands where a part of a screen could not be loaded: why, and the way to try again. */
export function Failed({ error, onRetry }: { error: Error; onRetry(): void }) {
  return (
    <div role="alert">
      <EmptyState
        title={text.parts.failed}
        text={error.message}
        action={<Button onClick={onRetry}>{text.parts.retry}</Button>}
      />
    </div>
  );
}
