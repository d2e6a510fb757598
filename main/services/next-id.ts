import type { Collection, Configuration } from '#main/store/configuration/configuration.ts';

/**
 * The next id of a collection whose ids are whole numbers: ascending from 1 and never one that was
 * used before, also not after a deletion. It is kept before it is given out; whoever
 * calls sees to it that nobody else asks at the same time.
 */
export async function nextNumericId(
  name: string,
  collection: Collection<{ id: string }>,
  { counters }: Pick<Configuration, 'counters'>,
): Promise<number> {
  const known = collection.all().map(({ id }) => Number(id));
  const next = known.reduce((most, id) => Math.max(most, id), counters.get(name)?.last ?? 0) + 1;
  await counters.put({ id: name, last: next });
  return next;
}
