import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openForReading } from '#main/store/history/database.ts';
import type { History } from '#main/store/history/history.ts';
import { openHistory } from '#main/store/history/open-history.ts';
import { SimulatedClock } from '../../../fixtures/simulated-clock.ts';
import { RecordingLog } from '../recording-log.ts';
import { entriesOf, idsOf, makeEvent, makeResult, makeResults, NOON } from '../records.ts';
import { nextLine, type RunningProgram, runProgram } from '../run-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ROUNDS = 4;
const LINES_BEFORE_KILL = 300;

const at = (now: number, folder = temporaryFolder()) => {
  const log = new RecordingLog();
  const clock = new SimulatedClock(now);
  const open = (retention = {}) => openHistory(folder, { clock, log, retention });
  return { folder, clock, log, open };
};

test('kill -9 while writing loses nothing that was acknowledged', async () => {
  const folder = temporaryFolder();
  const checkId = randomUUID();
  const acknowledged: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const program = runProgram('write-history.ts', [folder, checkId]);
    for (let line = 0; line < LINES_BEFORE_KILL; line++) acknowledged.push(await nextLine(program));
    program.process.kill('SIGKILL');
    acknowledged.push(...(await rest(program)));
    expect(await program.ended).toBe('SIGKILL');
  }
  const history = await openHistory(folder);
  const everything = { checkId, name: 'a check', limit: 100_000, resultType: 'ALL' } as const;
  const results = new Set(idsOf(await history.listResults(everything)));
  const period = { checkId, from: 0, to: Date.now() + 1_000, limit: 100_000 };
  const events = new Set((await history.listHeartbeatEvents(period)).map(({ id }) => id));
  const open = await history.loadOpenSessions({ limit: 100_000 });
  const sessions = new Set(open.map(({ id }) => id));
  const lost = acknowledged.filter((line) => {
    const [result = '', event = '', session = ''] = line.split(' ');
    return !results.has(result) || !events.has(event) || !sessions.has(session);
  });
  expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * LINES_BEFORE_KILL);
  expect(lost).toEqual([]);
  // What came in one transaction is there as one: nothing without the rest.
  const batches = await history.loadOpenBatches({ limit: 100_000 });
  expect(batches.map(({ id }) => id)).toEqual([...sessions]);
  const { alerts } = await history.listAlerts({ ...period, offset: 0 });
  expect(new Set(alerts.map(({ resultId }) => resultId))).toEqual(results);
  const owed = await history.loadPendingNotifications({ limit: 100_000 });
  expect(new Set(owed.map(({ checkResultId }) => checkResultId))).toEqual(results);
  expect((await history.loadStates()).has(checkId)).toBe(true);
  await history.close();
});

async function rest(program: RunningProgram): Promise<string[]> {
  const lines: string[] = [];
  for (let next = await program.lines.next(); !next.done; next = await program.lines.next()) {
    // The last line may have been cut off by the kill.
    if (/^[0-9a-f-]{36} [0-9a-f-]{36} [0-9a-f-]{36}$/.test(next.value)) lines.push(next.value);
  }
  return lines;
}

test('what was written is there after a restart, and nothing is left beside the database', async () => {
  const { folder, open } = at(NOON);
  const checkId = randomUUID();
  const first = await open();
  await first.write({
    results: makeResults(checkId, 3),
    heartbeatEvents: [makeEvent({ checkId })],
    states: [{ checkId, state: { actor: { lastSlot: 7 }, status: null } }],
  });
  await first.close();
  expect(statSync(join(folder, 'history.db-wal'), { throwIfNoEntry: false })).toBeUndefined();
  const again = await open();
  const page = await again.listResults({ checkId, name: '', limit: 9, resultType: 'ALL' });
  expect(page.length).toBe(3);
  expect((await again.loadStates()).get(checkId)).toEqual({ actor: { lastSlot: 7 }, status: null });
  await again.close();
});

test('close keeps what still waits', async () => {
  const { open } = at(NOON);
  const checkId = randomUUID();
  const first = await open();
  const writes = makeResults(checkId, 50).map((entry) => first.write({ results: [entry] }));
  await first.close();
  await Promise.all(writes);
  const again = await open();
  const page = await again.listResults({ checkId, name: '', limit: 100, resultType: 'ALL' });
  expect(page.length).toBe(50);
  await again.close();
});

test('a restart learns when the appliance was last alive: every five seconds, and at the end', async () => {
  const { clock, open } = at(NOON);
  const first = await open();
  await clock.advance(12_000);
  await first.close();
  const second = await open();
  expect(await second.lastAliveAt()).toBe(NOON + 12_000);
  await clock.advance(7_000);
  // Read as after a kill: by another connection, while the second is still open.
  const third = await open();
  expect(await third.lastAliveAt()).toBe(NOON + 17_000);
  await third.close();
  await second.close();
});

const MINUTE = 60_000;
const DAY = 86_400_000;

async function countResults(history: History, checkId: string): Promise<number> {
  return (await history.listResults({ checkId, name: '', limit: 99, resultType: 'ALL' })).length;
}

test('an old result is removed by the sweep of each minute', async () => {
  const { clock, open } = at(NOON);
  const checkId = randomUUID();
  const history = await open({ resultDays: 1 / 24 });
  await history.write({ results: makeResults(checkId, 2) });
  await clock.advance(59 * MINUTE);
  expect(await countResults(history, checkId)).toBe(2);
  await clock.advance(3 * MINUTE);
  await expect.poll(() => countResults(history, checkId)).toBe(0);
  await history.close();
});

test('a start with a wrong clock removes nothing, and the right clock goes on as before', async () => {
  const { clock, log, open } = at(NOON);
  const checkId = randomUUID();
  const first = await open();
  await first.write({ results: makeResults(checkId, 33) });
  await first.close();
  clock.jump(60 * DAY);
  const wrong = await open();
  await clock.advance(3 * MINUTE);
  // Answered after the sweeps that were asked for before it.
  expect((await wrong.probe()).doubt).toEqual({
    now: NOON + 60 * DAY + 3 * MINUTE,
    believedAt: NOON,
  });
  await wrong.close();
  expect(log.lines.map(({ message }) => message)).toEqual([
    expect.stringContaining('The clock is 60 days ahead of when Watchpost ran last'),
  ]);
  clock.jump(-60 * DAY);
  const right = await open();
  await clock.advance(3 * MINUTE);
  expect(await countResults(right, checkId)).toBe(33);
  expect((await right.probe()).doubt).toBeNull();
  await right.close();
});

test('a clock that jumps while it runs removes nothing', async () => {
  const { clock, open } = at(NOON);
  const checkId = randomUUID();
  const history = await open({ resultDays: 1 });
  await history.write({ results: makeResults(checkId, 2) });
  clock.jump(DAY + MINUTE);
  await clock.advance(3 * MINUTE);
  expect((await history.probe()).doubt).not.toBeNull();
  expect(await countResults(history, checkId)).toBe(2);
  await history.close();
});

test('after 60 days without power old history goes once somebody confirms the clock', async () => {
  const { clock, open } = at(NOON);
  const checkId = randomUUID();
  const first = await open();
  await first.write({ results: makeResults(checkId, 3) });
  await first.close();
  clock.jump(60 * DAY);
  const second = await open();
  const now = clock.now();
  await second.write({ results: makeResults(checkId, 1, { createdAt: now }) });
  expect(await countResults(second, checkId)).toBe(4);
  expect((await second.confirmClock()).doubt).toBeNull();
  await expect.poll(() => countResults(second, checkId)).toBe(1);
  await second.close();
  // The word is for good.
  const third = await open();
  expect((await third.probe()).doubt).toBeNull();
  await third.close();
});

test.each([
  ['at the first start', false],
  ['that somebody confirmed', true],
])(
  'a wrong clock %s, and then the right one, leave the next wrong one in doubt',
  async (_when, isLater) => {
    const { clock, open } = at(NOON);
    const checkId = randomUUID();
    if (isLater) await (await open()).close();
    clock.jump(60 * DAY);
    const wrong = await open();
    if (isLater) await wrong.confirmClock();
    await wrong.probe();
    await wrong.close();
    clock.jump(-60 * DAY);
    const right = await open();
    await right.write({ results: makeResults(checkId, 33) });
    // Answered once the time is on the disk.
    await right.probe();
    clock.jump(2 * 60 * MINUTE);
    await right.probe();
    await right.close();
    clock.jump(60 * DAY);
    const again = await open();
    await clock.advance(3 * MINUTE);
    expect((await again.probe()).doubt).not.toBeNull();
    expect(await countResults(again, checkId)).toBe(33);
    await again.close();
  },
);

test('a clock that is behind for a few minutes after a start is followed by the right one without doubt', async () => {
  const { clock, open } = at(NOON);
  await (await open()).close();
  clock.jump(-60 * DAY);
  const history = await open();
  await history.probe();
  clock.jump(10 * MINUTE);
  await history.probe();
  clock.jump(60 * DAY);
  expect((await history.probe()).doubt).toBeNull();
  await history.close();
});

test('what people deleted goes whatever the clock says', async () => {
  const { clock, folder, open } = at(NOON);
  const checkId = randomUUID();
  const first = await open();
  await first.write({ results: makeResults(checkId, 3) });
  await first.close();
  clock.jump(60 * DAY);
  const second = await open();
  await second.forget(checkId);
  const rows = () => {
    const database = openForReading(folder);
    const { count } = database.prepare('SELECT count(*) AS count FROM results').get() ?? {};
    database.close();
    return count;
  };
  await expect.poll(rows).toBe(0);
  await second.close();
});

test('a history over its budget loses its oldest results, and the log says so before', async () => {
  const { clock, log, open } = at(NOON);
  const checkId = randomUUID();
  const history = await open({ historyBytes: 1_000_000 });
  const told = () => log.lines.map(({ message }) => message);
  const part = async () => {
    const { usedBytes, budgetBytes } = await history.probe();
    return usedBytes / budgetBytes;
  };
  let written = 0;
  const writeUntil = async (isEnough: (part: number) => boolean) => {
    while (!isEnough(await part())) {
      const createdAt = NOON + written * 1_000;
      await history.write({ results: makeResults(checkId, 50, { createdAt }) });
      written += 50;
      await clock.advance(1_000);
    }
  };
  await writeUntil((used) => used > 0.85);
  expect(told()).toEqual([]);
  await writeUntil((used) => used > 0.93);
  expect(told()).toEqual([expect.stringMatching(/^The history takes 9\d % of its room/)]);
  await writeUntil(() => told().length === 2);
  const partLater = async () => {
    await clock.advance(1_000);
    return part();
  };
  await expect.poll(partLater).toBeLessThan(0.99);
  const { total } = await history.listResults({
    checkId,
    name: '',
    limit: 1,
    resultType: 'ALL',
    withTotal: true,
  });
  expect(total).toBeLessThan(written);
  expect(total).toBeGreaterThan(0.8 * written);
  expect(told()).toEqual([expect.anything(), expect.stringMatching(/^The history takes 10\d % /)]);
  await history.close();
});

test('bodies are kept within their budget while writes go on', async () => {
  const { open } = at(NOON);
  const checkId = randomUUID();
  const history = await open({ detailBytes: 20_000 });
  const detail = JSON.stringify({ apiCheckResult: { body: 'x'.repeat(970) } });
  for (const entry of makeResults(checkId, 60, { detail }))
    await history.write({ results: [entry] });
  const bodies = async () => {
    const query = { checkId, name: '', limit: 100, resultType: 'ALL' } as const;
    const entries = entriesOf(await history.listResults(query));
    return entries.filter(({ apiCheckResult }) => apiCheckResult !== null).length;
  };
  await expect.poll(bodies).toBeLessThanOrEqual(20);
  await history.close();
});

test('refused results and bodies left out are told to the log', async () => {
  const { log, open } = at(NOON);
  const history = await open();
  const entry = makeResult();
  const tooLarge = makeResult({ detail: JSON.stringify({ body: 'x'.repeat(600_000) }) });
  await history.write({ results: [entry, entry, tooLarge] });
  expect(log.lines).toMatchObject([
    { level: 'warn', fields: { refused: 1 } },
    { level: 'warn', fields: { oversized: 1 } },
  ]);
  await history.close();
});
