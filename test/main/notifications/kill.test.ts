import { expect, test } from 'vitest';
import { uuidAt } from '#main/platform/uuid-at.ts';
import { openHistory } from '#main/store/history/open-history.ts';
import { Receiver } from '../../fixtures/receiver.ts';
import { runProgram } from '../store/run-program.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';
import { owed } from './fixtures.ts';

const PROGRAM = '../../notifications/programs/send-pending.ts';
const NAMES = Array.from({ length: 30 }, (_, index) => `check ${index}`);
/** While these requests are being answered, whoever sent them is killed. */
const KILLED_AT = [3, 10, 11, 25];

test('each alert arrives at least once and in order, across kill -9', async () => {
  const folder = temporaryFolder();
  const at = Date.now() - 60_000;
  const history = await openHistory(folder);
  await history.write({
    notifications: NAMES.map((name, index) => ({
      ...owed(name, at + index),
      id: uuidAt(at + index),
      checkId: null,
    })),
  });
  await history.close();

  await using receiver = await Receiver.start();
  const heard: string[] = [];
  const run = () => runProgram(PROGRAM, [folder, receiver.url]);
  let program = run();
  const { promise: heardAll, resolve } = Promise.withResolvers<void>();
  const kills = new Set(KILLED_AT);
  receiver.answer = (response, { body }) => {
    heard.push((JSON.parse(body) as { check_name: string }).check_name);
    if (kills.delete(heard.length)) {
      program.process.kill('SIGKILL');
      void program.ended.then(() => {
        program = run();
      });
      return;
    }
    response.end();
    if (heard.at(-1) === NAMES.at(-1)) resolve();
  };
  await heardAll;
  program.process.kill('SIGTERM');
  expect(await program.ended).toBe(0);

  expect([...new Set(heard)]).toEqual(NAMES);
  // Only what was on its way at a kill is sent again.
  expect(heard).toHaveLength(NAMES.length + KILLED_AT.length);
  const after = await openHistory(folder);
  const query = { from: 0, to: Date.now(), limit: 100, offset: 0 };
  const { notifications } = await after.listNotifications(query);
  await after.close();
  expect(new Set(notifications.map(({ status }) => status))).toEqual(new Set(['SUCCESS']));
  expect(notifications).toHaveLength(NAMES.length);
  // Five processes start one after the other, which takes a busy machine a while.
}, 300_000);
