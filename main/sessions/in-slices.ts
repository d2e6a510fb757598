import { setImmediate as nextTurn } from 'node:timers/promises';

/** Sessions that are made or kept before others have a turn: a few milliseconds of work. */
const SLICE = 250;

/** The items in their order, some at a time; others have a turn in between, so the actors never wait. */
export async function* inSlices<T>(items: readonly T[]): AsyncGenerator<T[], void> {
  for (let from = 0; from < items.length; from += SLICE) {
    if (from > 0) await nextTurn();
    yield items.slice(from, from + SLICE);
  }
}
