import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import type { HistoryRecords, JsonText } from '#main/store/history/history.ts';
import type { CheckResult, StoredResult } from '#shared/results/check-result.ts';
import type { StoredHeartbeatEvent } from '#shared/results/heartbeat-event.ts';

/** Noon of the first of January 2026, epoch ms: the time of whatever says no other. */
export const NOON = Date.UTC(2026, 0, 1, 12);

/** A passing run of an API check, but for what a test sets. */
export function makeResult(
  given: Partial<StoredResult> & { detail?: string } = {},
): NonNullable<HistoryRecords['results']>[number] {
  const { detail = '{"apiCheckResult":{"requestError":null}}', ...members } = given;
  const createdAt = members.createdAt ?? NOON;
  const result: StoredResult = {
    id: v7({ msecs: createdAt }),
    checkId: randomUUID(),
    checkType: 'API',
    resultType: 'FINAL',
    slot: createdAt,
    runLocation: 'eu-west-1',
    ranOn: 'embedded',
    startedAt: createdAt - 12,
    stoppedAt: createdAt - 1,
    createdAt,
    responseTime: 11.7,
    checkRunId: 123_456_789,
    attempts: 0,
    sequenceId: v7({ msecs: createdAt }),
    statusCode: 200,
    failure: null,
    hasFailures: false,
    hasErrors: false,
    isDegraded: false,
    overMaxResponseTime: false,
    metrics: { wait: 1, dns: 2, tcp: 3, firstByte: 4, download: 5, total: 15 },
    ...members,
  };
  return { result, detail };
}

/** Results of one check, a second apart, oldest first. */
export function makeResults(
  checkId: string,
  count: number,
  given: Partial<StoredResult> & { detail?: string } = {},
): NonNullable<HistoryRecords['results']> {
  const first = given.createdAt ?? NOON;
  return Array.from({ length: count }, (_, index) =>
    makeResult({ ...given, checkId, createdAt: first + index * 1_000 }),
  );
}

export function makeEvent(given: Partial<StoredHeartbeatEvent> = {}): StoredHeartbeatEvent {
  const timestamp = given.timestamp ?? NOON;
  return {
    id: v7({ msecs: timestamp }),
    checkId: randomUUID(),
    state: 'RECEIVED',
    timestamp,
    source: 'https://example.test',
    userAgent: 'curl/8',
    ...given,
  };
}

/** The entries of a page. */
export function entriesOf({ entries }: { entries: JsonText }): CheckResult[] {
  return JSON.parse(new TextDecoder().decode(entries));
}

export function idsOf(page: { entries: JsonText }): string[] {
  return entriesOf(page).map(({ id }) => id);
}
