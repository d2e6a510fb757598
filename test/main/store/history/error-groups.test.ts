import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_GROUPS_OF_CHECK } from '#main/store/history/error-group-writer.ts';
import { errorGroupKey } from '#shared/error-groups/error-group.ts';
import { entriesOf, makeResult, NOON } from '../records.ts';
import { openWriter, runToEnd } from './open-writer.ts';

const DAY = 86_400_000;
/** Words without a digit, each another one. */
const word = (n: number) => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');

function failures(checkId: string, count: number, createdAt = NOON) {
  return Array.from({ length: count }, (_, n) =>
    makeResult({
      checkId,
      createdAt: createdAt + n,
      hasFailures: true,
      failure: { cause: 'ASSERTION', message: `broken ${word(n)}` },
    }),
  );
}

test('of too many groups of a check those seen longest ago go, but for what is archived for ever', () => {
  const { writer, reader, errorGroups } = openWriter();
  const [checkId, other] = [randomUUID(), randomUUID()];
  const idOf = (n: number) => errorGroupKey(checkId, `broken ${word(n)}`).id;
  writer.write([{ results: failures(other, 1) }, { results: failures(checkId, 10) }]);
  writer.write([{ errorGroupArchives: [{ id: idOf(3), archived: 'forEver' }] }]);
  writer.write([{ results: failures(checkId, MAX_GROUPS_OF_CHECK + 20).slice(10) }]);
  const find = (n: number) => errorGroups.findErrorGroup(idOf(n));
  expect([find(0), find(20)]).toEqual([null, null]);
  expect(find(3)).toMatchObject({ archived: 'forEver' });
  expect(find(21)).not.toBeNull();
  const list = { of: 'checks', limit: 1, offset: 0 } as const;
  expect(errorGroups.listErrorGroups(list).total).toBe(MAX_GROUPS_OF_CHECK);
  // A result does not name a group that is gone.
  const query = { checkId, name: '', limit: 1_000, resultType: 'ALL' } as const;
  const named = entriesOf(reader.listResults(query)).map(({ errorGroupIds }) => errorGroupIds);
  expect(named.filter((ids) => ids.length > 0)).toHaveLength(MAX_GROUPS_OF_CHECK);
});

test('groups go with the results that they are of, and stay where archived for ever', () => {
  const { writer, errorGroups } = openWriter();
  const checkId = randomUUID();
  writer.write([{ results: failures(checkId, 450) }]);
  const ids = [0, 449].map((n) => errorGroupKey(checkId, `broken ${word(n)}`).id);
  writer.write([{ results: failures(checkId, 1, NOON + DAY) }]);
  writer.write([{ errorGroupArchives: [{ id: String(ids[1]), archived: 'forEver' }] }]);
  for (const day of [7, 14, 21, 28, 30.5]) writer.stamp(NOON + day * DAY);
  runToEnd(writer.sweep(NOON + 30.5 * DAY));
  expect(errorGroups.listErrorGroups({ of: 'checks', limit: 10, offset: 0 })).toMatchObject({
    groups: [{ id: ids[0], lastSeen: NOON + DAY }],
    total: 1,
  });
  expect(errorGroups.findErrorGroup(String(ids[1]))).not.toBeNull();
});

test('a result that is refused is in no group', () => {
  const { writer, errorGroups } = openWriter();
  const checkId = randomUUID();
  const [first] = failures(checkId, 1);
  const again = makeResult({
    checkId,
    slot: first?.result.slot ?? null,
    hasFailures: true,
    failure: { cause: 'STATUS', message: 'the same slot again' },
  });
  writer.write([{ results: [...(first ? [first] : []), again] }]);
  const list = { of: 'checks', limit: 10, offset: 0 } as const;
  expect(errorGroups.listErrorGroups(list).groups).toMatchObject([{ rawErrorMessage: 'broken a' }]);
});
