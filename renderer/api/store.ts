import { useSyncExternalStore } from 'react';

/** A value that components and other code see changing. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
  /** Resolves at the next change; rejects where the signal ends the wait. */
  change(signal?: AbortSignal): Promise<void>;
}

export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe,
    async change(signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const stop = subscribe(resolve);
      const abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        await promise;
      } finally {
        stop();
        signal?.removeEventListener('abort', abort);
      }
    },
  };
}

/** The value of a store, drawn again whenever it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
