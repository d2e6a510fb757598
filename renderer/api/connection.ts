import { createStore } from './store.ts';

/** Whether the appliance answers: `back` for some seconds after it did not. */
export type Connection = 'there' | 'lost' | 'back';

export const connectionStore = createStore<Connection>('there');

const FIRST_TRY_MS = 1_000;
const LONGEST_TRY_MS = 15_000;
const BACK_MS = 3_000;

/** A request got no answer: asks until one comes, ever more slowly. */
export function lostConnection(): void {
  if (connectionStore.get() === 'lost') return;
  connectionStore.set('lost');
  tryIn(FIRST_TRY_MS);
}

function tryIn(delayMs: number): void {
  const again = () => {
    clearTimeout(timer);
    removeEventListener('online', again);
    void attempt(delayMs);
  };
  const timer = setTimeout(again, delayMs);
  addEventListener('online', again);
}

async function attempt(delayMs: number): Promise<void> {
  try {
    const { ok } = await fetch('/healthz', { signal: AbortSignal.timeout(LONGEST_TRY_MS) });
    if (!ok) throw new Error('It answers, but not well.');
    connectionStore.set('back');
    setTimeout(() => {
      if (connectionStore.get() === 'back') connectionStore.set('there');
    }, BACK_MS);
  } catch {
    tryIn(Math.min(delayMs * 1.6, LONGEST_TRY_MS));
  }
}
