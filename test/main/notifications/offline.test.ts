import { expect, test } from 'vitest';
import { FAILED, outboxScene, owed, REFUSED, TOLD } from './fixtures.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Channels of an appliance whose network is dead, until {@link mend} is called. */
async function offlineScene(...channels: string[]) {
  let isNetworkDown = true;
  const scene = await outboxScene({ channels, isNetworkDown: () => isNetworkDown });
  scene.answerWith(() => (isNetworkDown ? FAILED : TOLD));
  const mend = () => {
    isNetworkDown = false;
    scene.desk.tryNow();
  };
  return { ...scene, mend };
}

test('however long the network is dead, nothing is given up, and no channel counts as dead', async () => {
  const { clock, take, words, store, mend } = await offlineScene('1', '2');
  await take(owed('a', clock.now()));
  await clock.advance(30 * MINUTE);
  await take(owed('b', clock.now()), owed('c', clock.now(), { channelId: '2' }));
  await clock.advance(2 * 60 * MINUTE);
  expect(store.statuses()).toEqual({ PENDING: 3 });
  mend();
  await clock.advance(5 * SECOND);
  expect([words('1').slice(-2), words('2').at(-1)]).toEqual([['a', 'b'], 'c']);
  // Neither channel was told of the other.
  expect(store.statuses()).toEqual({ SUCCESS: 3 });
});

test('when the network is back, what waits goes at once', async () => {
  const { clock, take, sent, mend } = await offlineScene('1');
  await take(owed('a', clock.now()));
  await clock.advance(MINUTE + SECOND);
  mend();
  await clock.advance(0);
  expect(sent.map(({ atMs }) => atMs / SECOND)).toEqual([0, 20, 40, 60, 61]);
});

test('tries with a dead network leave all six for the time after it', async () => {
  const { clock, take, sent, answerWith, mend, store } = await offlineScene('1');
  await take(owed('a', clock.now()));
  await clock.advance(10 * MINUTE);
  answerWith(() => FAILED);
  const before = sent.length;
  mend();
  await clock.advance(10 * MINUTE);
  expect(sent.length - before).toBe(6);
  expect(store.statuses()).toEqual({ FAILURE: 1 });
});

test('a router that answers in place of the channel has nothing given up', async () => {
  const { clock, take, answerWith, mend, sent, store } = await offlineScene('1');
  answerWith(() => REFUSED);
  await take(owed('a', clock.now()));
  await clock.advance(30 * MINUTE);
  expect(store.statuses()).toEqual({ PENDING: 1 });
  answerWith(() => TOLD);
  mend();
  await clock.advance(0);
  expect(sent.at(-1)?.word).toBe('a');
  expect(store.statuses()).toEqual({ SUCCESS: 1 });
});

test('what no network would mend is given up at the first try of the time after it', async () => {
  const { clock, take, answerWith, mend, sent, store } = await offlineScene('1');
  answerWith(() => REFUSED);
  await take(owed('a', clock.now()));
  await clock.advance(MINUTE);
  const before = sent.length;
  mend();
  await clock.advance(MINUTE);
  expect(sent.length - before).toBe(1);
  expect(store.statuses()).toEqual({ FAILURE: 1 });
});

test('a channel that was dead before is tried no more often than at other times', async () => {
  let isNetworkDown = false;
  const { clock, take, sent, answerWith } = await outboxScene({
    isNetworkDown: () => isNetworkDown,
  });
  answerWith(() => FAILED);
  for (const name of ['a', 'b', 'c', 'd']) await take(owed(name, clock.now()));
  await clock.advance(10 * MINUTE);
  isNetworkDown = true;
  const before = sent.length;
  await clock.advance(60 * MINUTE);
  expect(sent.length - before).toBeLessThanOrEqual(6);
});
