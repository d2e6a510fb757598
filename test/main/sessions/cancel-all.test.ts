import { expect, test } from 'vitest';
import { cancelAll } from '#main/sessions/cancel-all.ts';
import { StoreError } from '#main/store/store-error.ts';
import { makeSession } from './fixtures.ts';

test('one that cannot be kept as cancelled leaves none of the others running, and others have turns', async () => {
  const sessions = Array.from({ length: 50 }, (_, n) => makeSession({ id: `session ${n}` }));
  const asked: string[] = [];
  const askedByTurn: number[] = [];
  const cancel = async (id: string): Promise<boolean> => {
    if (asked.length % 20 === 0) setImmediate(() => askedByTurn.push(asked.length));
    asked.push(id);
    if (id === 'session 0') throw new StoreError('FULL', 'The disk is full.');
    return true;
  };
  await cancelAll(sessions, { cancel });
  expect(asked).toEqual(sessions.map(({ id }) => id));
  expect(askedByTurn.slice(0, 2)).toEqual([20, 40]);
});
