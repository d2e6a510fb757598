/** Runs tasks of one key one after another, tasks of different keys beside each other. */
export type Serial = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/**
 * A queue per key, so that reading a record, changing it and keeping it is never interleaved with
 * another change of the same record. A task that fails does not stop those behind it.
 */
export function createSerial(): Serial {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const before = tails.get(key);
    const turn = (async () => {
      await Promise.allSettled([before]);
      return task();
    })();
    tails.set(key, turn);
    try {
      return await turn;
    } finally {
      if (tails.get(key) === turn) tails.delete(key);
    }
  };
}
