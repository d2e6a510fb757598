import { expect, onTestFinished, test, vi } from 'vitest';
import { StoreError } from '#main/store/store-error.ts';
import { RestingThread } from '#main/store/thread/resting-thread.ts';
import { openThread } from '#main/store/thread/store-thread.ts';
import { RecordingLog } from '../recording-log.ts';
import type { Odd } from './odd-thread.ts';

interface Options {
  /** What the thread leaves; null where it does not want to. */
  leave?: () => string | null;
  refuse?: string;
}

async function startOdd({ leave = () => 'left', refuse }: Options = {}) {
  const opened: string[] = [];
  const start = async (left: string, data: object = {}) => {
    opened.push(left);
    const { thread } = await openThread<Odd, string>({
      ...{ script: new URL('./odd-thread.ts', import.meta.url), data, name: 'odd thread' },
      ...{ log: new RecordingLog(), maxWaiting: 100, maxRestarts: 0 },
    });
    return thread;
  };
  const thread = new RestingThread({
    first: await start('first'),
    leave: async () => leave(),
    open: (left: string) => start(left, refuse === undefined ? {} : { refuse }),
    idleMs: 1,
  });
  onTestFinished(() => thread.end(async () => {}));
  const rests = () => vi.waitFor(() => expect(thread.isResting).toBe(true), { timeout: 60_000 });
  return { thread, opened, rests };
}

test('a thread that nobody calls ends, and the next call begins another that goes on from what it left', async () => {
  const { thread, opened, rests } = await startOdd();
  await rests();
  expect(await thread.calls.echo('again')).toBe('again');
  expect(opened).toEqual(['first', 'left']);
  await rests();
});

test('calls at any moment are each answered once, in their order', async () => {
  const { thread, opened, rests } = await startOdd();
  const answered: string[] = [];
  const asked: string[] = [];
  for (let n = 0; n < 8; n++) {
    const calls = ['a', 'b', 'c'].map(async (letter) => {
      asked.push(`${letter}${n}`);
      answered.push(await thread.calls.echo(`${letter}${n}`));
    });
    await Promise.all(calls);
    // Somewhere between awake, leaving and resting.
    for (let turn = 0; turn < n * 3; turn++) await new Promise((next) => setImmediate(next));
  }
  expect(answered).toEqual(asked);
  await rests();
  expect(await thread.calls.echo('last')).toBe('last');
  expect(opened.length).toBeGreaterThan(1);
});

test('a thread under a call, or one that has something to do, goes on', async () => {
  let asked = 0;
  const { thread, opened } = await startOdd({
    leave: () => {
      asked++;
      return null;
    },
  });
  await vi.waitFor(() => expect(asked).toBeGreaterThan(2), { timeout: 60_000 });
  expect(await thread.calls.echo('the same')).toBe('the same');
  expect({ opened, isResting: thread.isResting }).toEqual({ opened: ['first'], isResting: false });
});

test('a call that cannot begin a thread is refused, and the one after it tries again', async () => {
  const { thread, opened, rests } = await startOdd({ refuse: 'no more files' });
  await rests();
  await expect(thread.calls.echo('one')).rejects.toThrow('no more files');
  await expect(thread.calls.echo('two')).rejects.toThrow('no more files');
  expect(opened).toEqual(['first', 'left', 'left']);
});

test('a thread that died is not taken for one that rests', async () => {
  const { thread } = await startOdd({
    leave: () => {
      throw new StoreError('LOST', 'It died.');
    },
  });
  await expect(thread.calls.die()).rejects.toMatchObject({ code: 'LOST' });
  await expect(thread.calls.echo('later')).rejects.toMatchObject({ code: 'LOST' });
});

test('the end has last calls made to a thread that is awake, and begins none', async () => {
  const { thread, opened } = await startOdd();
  const last: string[] = [];
  await thread.end(async ({ echo }) => void last.push(await echo('last')));
  const { thread: other, opened: others, rests: otherRests } = await startOdd();
  await otherRests();
  await other.end(async () => void last.push('nobody'));
  expect({ last, opened, others }).toEqual({
    last: ['last'],
    opened: ['first'],
    others: ['first'],
  });
});
