import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * The items in their order, some at a time: others have a turn in between, so the actors never wait.
 * @param size how many are a few milliseconds of work
 */
export async function* inSlices<T>(items: readonly T[], size: number): AsyncGenerator<T[], void> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await nextTurn();
    yield items.slice(from, from + size);
  }
}
