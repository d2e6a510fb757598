import { expect, onTestFinished, test } from 'vitest';
import { StartupError } from '#main/platform/startup-error.ts';
import { openThread, type ThreadOptions } from '#main/store/thread/store-thread.ts';
import { RecordingLog } from '../recording-log.ts';
import type { Odd } from './odd-thread.ts';

async function startOdd(options: Partial<ThreadOptions> = {}) {
  const log = new RecordingLog();
  const { thread, value } = await openThread<Odd, string>({
    script: new URL('./odd-thread.ts', import.meta.url),
    data: {},
    name: 'odd thread',
    log,
    maxWaiting: 3,
    maxRestarts: 1,
    ...options,
  });
  onTestFinished(() => thread.end());
  return { thread, value, log };
}

test('a call is answered, and bytes come whole', async () => {
  const { thread, value } = await startOdd();
  expect(value).toBe('ready');
  expect(await thread.calls.echo('hello')).toBe('hello');
  expect((await thread.calls.bytes(100_000)).bytes).toEqual(new Uint8Array(100_000).fill(7));
});

test('what is answered as JSON text arrives as the value', async () => {
  const { thread } = await startOdd();
  expect(await thread.calls.list(3)).toEqual([0, 1, 2]);
});

test('a text of many megabytes is answered as it is', async () => {
  const { thread } = await startOdd();
  const text = 'x'.repeat(20_000_000);
  // Compared by itself: a difference would be printed.
  expect((await thread.calls.echo(text)) === text).toBe(true);
});

test('calls are handed over in the order in which they are made', async () => {
  const { thread } = await startOdd();
  const answered: string[] = [];
  const calls = ['a', 'b', 'c'].map(async (text) => {
    answered.push(await thread.calls.echo(text));
  });
  await Promise.all(calls);
  expect(answered).toEqual(['a', 'b', 'c']);
});

test('what the thread throws arrives as a typed error', async () => {
  const { thread } = await startOdd();
  await expect(thread.calls.full()).rejects.toMatchObject({
    code: 'FULL',
    message: 'No room.',
  });
  await expect(thread.calls.mistake()).rejects.toMatchObject({ code: 'INTERNAL' });
});

test('a thread that cannot open what it keeps stops the start', async () => {
  const start = startOdd({ data: { refuse: 'checks.json is broken.' } });
  await expect(start).rejects.toThrow(new StartupError('checks.json is broken.'));
});

test('a script that cannot load stops the start', async () => {
  await expect(
    startOdd({ script: new URL('./no-such-thread.ts', import.meta.url) }),
  ).rejects.toThrow('The odd thread did not start.');
});

test('too many calls at once are refused, and later ones are not', async () => {
  const { thread } = await startOdd();
  const calls = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map((text) => thread.calls.echo(text)),
  );
  expect(calls.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
  expect(calls[3]).toMatchObject({ reason: { code: 'BUSY' } });
  expect(await thread.calls.echo('again')).toBe('again');
});

test('when the thread dies, what waits is lost and what comes later reaches a new one', async () => {
  const { thread, log } = await startOdd();
  const waiting = thread.calls.never();
  const killer = thread.calls.die();
  await expect(waiting).rejects.toMatchObject({ code: 'LOST' });
  await expect(killer).rejects.toMatchObject({ code: 'LOST' });
  expect(await thread.calls.echo('new')).toBe('new');
  expect(log.lines).toMatchObject([{ level: 'error', message: 'The odd thread died.' }]);
});

test('a thread that dies too often is given up', async () => {
  const { thread } = await startOdd();
  for (let death = 0; death < 2; death++) {
    await expect(thread.calls.die()).rejects.toMatchObject({ code: 'LOST' });
  }
  await expect(thread.calls.echo('anyone?')).rejects.toMatchObject({
    code: 'LOST',
    message: 'The odd thread is given up.',
  });
});

test('after the end every call is refused, and what waited is let go', async () => {
  const { thread } = await startOdd();
  const waiting = thread.calls.never();
  const refused = expect(waiting).rejects.toMatchObject({ code: 'CLOSED' });
  await thread.calls.echo('both were handed over');
  await thread.end();
  await refused;
  await expect(thread.calls.echo('late')).rejects.toMatchObject({ code: 'CLOSED' });
});

test('a notice of the thread goes to the log', async () => {
  const { thread, log } = await startOdd();
  await thread.calls.notice();
  expect(log.lines).toEqual([
    { level: 'warn', message: 'Something happened.', fields: { times: 2 } },
  ]);
});
