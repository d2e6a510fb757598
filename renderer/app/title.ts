import { useEffect } from 'react';
import { createStore, useStore } from '#renderer/api/store.ts';
import { text } from '#renderer/messages/messages.ts';

/** How many checks fail, which every title begins with. */
export const failingCountStore = createStore(0);

/** The title of the window while a screen is open: `(2) Checkout · Watchpost`. */
export function useTitle(screen: string | undefined): void {
  const failing = useStore(failingCountStore);
  useEffect(() => {
    const name = screen === undefined ? text.shell.name : text.shell.title(screen);
    document.title = failing > 0 ? `(${failing}) ${name}` : name;
  }, [screen, failing]);
}
