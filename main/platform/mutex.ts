/** Runs tasks of one key one after another, tasks of different keys beside each other. */
export type Mutex = <T>(keys: string | readonly string[], task: () => Promise<T>) => Promise<T>;

/**
 * A queue per key, so that reading a record, changing it and writing it is never interleaved with
 * another change of the same record. A task of several keys has its turn when it is first in the
 * queue of each; it joins them all at once, so that two such tasks never wait for each other. A task
 * that fails does not stop those behind it.
 */
export function createMutex(): Mutex {
  const tails = new Map<string, Promise<unknown>>();
  return async (keys, task) => {
    const queues = [keys].flat();
    const before = queues.map((key) => tails.get(key));
    const turn = (async () => {
      await Promise.allSettled(before);
      return task();
    })();
    for (const key of queues) tails.set(key, turn);
    try {
      return await turn;
    } finally {
      for (const key of queues) if (tails.get(key) === turn) tails.delete(key);
    }
  };
}
