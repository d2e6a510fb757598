import { randomInt, randomUUID } from 'node:crypto';
import { momentText } from './moment-text.ts';

/** The text for the arguments given, or null where they mean nothing. */
export type Helper = (args: readonly string[]) => string | null;

const MAX_RANDOM_NUMBER = 10_000;

/** The helpers of templates. A map, so that nothing inherited counts as one. */
export const HELPERS: ReadonlyMap<string, Helper> = new Map<string, Helper>([
  ['$UUID', (args) => (args.length === 0 ? randomUUID() : null)],
  [
    '$RANDOM_NUMBER',
    (args) => (args.length === 0 ? String(randomInt(MAX_RANDOM_NUMBER + 1)) : null),
  ],
  ['moment', (args) => momentText(args, new Date())],
]);
