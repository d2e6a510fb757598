import { uuidAt } from '#main/platform/uuid-at.ts';
import { openForWriting } from '#main/store/history/database.ts';
import type { HistoryRecords } from '#main/store/history/history.ts';
import { PACKED_BEFORE } from '#main/store/history/packs.ts';
import { DEFAULT_RETENTION } from '#main/store/history/retention.ts';
import { ROLLED_BEFORE } from '#main/store/history/roll-ups.ts';
import { Writer } from '#main/store/history/writer.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Less than results stay, so that none goes while the bench runs. */
const DAYS = 29.9;
const MINUTES = Math.floor((DAYS * DAY_MS) / MINUTE_MS);
/** Bodies of older results are removed: those of all would be over their room. */
const BODY_DAYS = 2;
/** Written at once: of small batches most of the time is spent on pages that hold one result of each check. */
const BATCH = 50_000;
const BODY = JSON.stringify({
  apiCheckResult: {
    request: { method: 'GET', url: 'https://shop.example/api/cart', headers: { accept: '*/*' } },
    response: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"ok":true}' },
    assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: '200', actual: '200' }],
    requestError: null,
    jobLog: null,
  },
});

/** Numbers of 0 to 1 that a seed decides. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Writes results of the last month into the history of a data folder that nobody has open, in the order of time: of the
 * first check one a minute, of each other as many as make `results` of them all. Then it packs and sums them up.
 * @returns how many, and the seconds that each part took
 */
export function fillHistory(folder: string, checkIds: readonly string[], results: number) {
  const database = openForWriting(folder);
  // The appliance that made the folder packed the past, which was empty: results of it would each come late.
  database.exec(`DELETE FROM meta WHERE name IN ('${PACKED_BEFORE}', '${ROLLED_BEFORE}')`);
  const writer = new Writer(database, { ...DEFAULT_RETENTION, detailDays: BODY_DAYS });
  const random = seeded(12);
  const now = Date.now();
  const start = now - MINUTES * MINUTE_MS;
  const share = (results - MINUTES) / (checkIds.length - 1) / MINUTES;
  const due = checkIds.map((_, n) => (n === 0 ? 0 : random()));
  const startedAt = performance.now();
  let batch: NonNullable<HistoryRecords['results']> = [];
  let written = 0;
  const flush = () => {
    for (const outcome of writer.write([{ results: batch }])) {
      if (!outcome.kept || outcome.refused > 0) throw new Error(JSON.stringify(outcome));
    }
    written += batch.length;
    batch = [];
  };
  for (let minute = 0; minute < MINUTES; minute++) {
    const at = start + minute * MINUTE_MS;
    for (const [n, checkId] of checkIds.entries()) {
      due[n] = (due[n] ?? 0) + (n === 0 ? 1 : share);
      for (; (due[n] ?? 0) >= 1; due[n] = (due[n] ?? 0) - 1) {
        batch.push(resultOf(checkId, at + Math.floor(random() * MINUTE_MS), random));
      }
      if (batch.length >= BATCH) flush();
    }
  }
  flush();
  const filledAt = performance.now();
  writer.stamp(now);
  for (const _ of writer.sumUp(now));
  for (const _ of writer.sweep(now));
  const summedAt = performance.now();
  writer.close(now);
  return {
    results: written,
    fillSeconds: (filledAt - startedAt) / 1_000,
    sumUpSeconds: (summedAt - filledAt) / 1_000,
  };

  function resultOf(checkId: string, createdAt: number, random: () => number) {
    const spread = Math.exp(random() + random() + random() - 1.5);
    const thousandths = (value: number) => Math.round(value * 1_000) / 1_000;
    const firstByte = thousandths(40 * spread);
    const responseTime = thousandths(firstByte + 20 * random() + 5);
    const hasFailures = random() < 0.01;
    const result = {
      id: uuidAt(createdAt),
      checkId,
      checkType: 'URL' as const,
      resultType: 'FINAL' as const,
      slot: createdAt,
      runLocation: random() < 0.5 ? 'eu-west-1' : 'us-east-1',
      ranOn: 'embedded',
      startedAt: createdAt - Math.ceil(responseTime),
      stoppedAt: createdAt,
      createdAt,
      responseTime,
      checkRunId: createdAt % 1e9,
      attempts: 0,
      sequenceId: uuidAt(createdAt),
      statusCode: hasFailures ? 503 : 200,
      failure: hasFailures
        ? { cause: 'STATUS' as const, message: 'Expected a status below 400, but got 503' }
        : null,
      hasFailures,
      hasErrors: false,
      isDegraded: false,
      overMaxResponseTime: false,
      metrics: {
        wait: thousandths(random()),
        dns: thousandths(random() * 3),
        tcp: thousandths(10 * spread),
        firstByte,
        download: thousandths(random() * 5),
        total: responseTime,
      },
    };
    return { result, detail: createdAt > now - BODY_DAYS * DAY_MS ? BODY : '{}' };
  }
}
