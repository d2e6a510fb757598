import { once } from 'node:events';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { RunnerThread } from '#main/monitoring/runner-thread.ts';

/** Opens a file and says its number; whoever hears that closes it, as a socket does with what it is made of. */
const PROGRAM = `data:text/javascript,${encodeURIComponent(`
  import { openSync } from 'node:fs';
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', () => {});
  parentPort.postMessage({ results: [], opened: openSync(process.execPath, 'r') });
`)}`;

test('a thread that ends closes no file that others have opened since', async () => {
  const heard = new PassThrough({ objectMode: true });
  const thread = new RunnerThread({
    program: new URL(PROGRAM),
    workerData: null,
    env: {},
    heard: (message) => void heard.write(message),
    ended: () => {},
  });
  const [{ opened }] = (await once(heard, 'data')) as [{ opened: number }];
  closeSync(opened);
  const ours: number[] = [];
  while (ours.length < 100 && !ours.includes(opened)) ours.push(openSync(process.execPath, 'r'));
  expect(ours).toContain(opened);
  await thread.end();
  expect(fstatSync(opened).isFile()).toBe(true);
  for (const file of ours) closeSync(file);
});
