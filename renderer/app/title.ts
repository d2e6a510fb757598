import { useEffect } from 'react';
import { useSummary } from '#renderer/api/summary.ts';
import { text } from '#renderer/messages/messages.ts';

/** The title of the window while a screen is open, with how many checks fail: `(2) Checkout · Watchpost`. */
export function useTitle(screen: string | undefined): void {
  const summary = useSummary();
  const failing = summary.kind === 'ready' ? summary.counts.failing : 0;
  useEffect(() => {
    const name = screen === undefined ? text.shell.name : text.shell.title(screen);
    document.title = failing > 0 ? `(${failing}) ${name}` : name;
  }, [screen, failing]);
}
