import type { CheckType } from '#shared/checks/enums.ts';
import type { ShownResult } from '#shared/results/check-result.ts';
import type { Cause } from '#shared/runs/protocol.ts';
import { unpackBody } from './body-text.ts';
import { formatUuid, timeOfUuid } from './uuid.ts';
import type { Words } from './words.ts';

const COLUMNS = `r.id, r.given_id, r.check_type, r.final, r.location, r.runner, r.started_at, r.stopped_at,
    r.response_ms, r.run, r.attempts, r.sequence, r.has_failures, r.has_errors, r.is_degraded, r.over_limit,
    r.cause, r.message`;

/**
 * Results with their bodies; a condition on `r` follows. Rows are lists, which SQLite hands over faster than objects,
 * with the keys of words, which are few: a page of a hundred is read in half the time.
 */
export const SELECT_RESULTS = `
  SELECT ${COLUMNS}, coalesce(p.body, f.body)
  FROM results r
  LEFT JOIN passing_details p ON p.id = r.passing_detail
  LEFT JOIN failing_details f ON f.id = r.failing_detail`;

/** The same without bodies, each of which stands elsewhere in the file. */
export const SELECT_NUMBERS = `SELECT ${COLUMNS}, NULL FROM results r`;

/** A row of {@link SELECT_RESULTS}. */
export type ResultRow = readonly [
  /** Its place in the lists, by the time when it was settled. */
  id: Uint8Array,
  /** The result's id where it is another. */
  givenId: Uint8Array | null,
  checkType: number,
  final: number,
  location: number,
  runner: number,
  startedAt: number,
  stoppedAt: number,
  responseMs: number,
  run: number,
  attempts: number,
  sequence: string | Uint8Array,
  hasFailures: number,
  hasErrors: number,
  isDegraded: number,
  overLimit: number,
  cause: number | null,
  message: string | null,
  body: string | Uint8Array | null,
];

/** The result that a row holds. */
export function readRow(checkId: string, row: ResultRow, words: Words): ShownResult {
  const [
    id,
    givenId,
    checkType,
    final,
    location,
    runner,
    startedAt,
    stoppedAt,
    responseTime,
    checkRunId,
    attempts,
    sequence,
    hasFailures,
    hasErrors,
    isDegraded,
    overLimit,
    cause,
    message,
  ] = row;
  return {
    id: formatUuid(givenId ?? id),
    checkId,
    checkType: words.of(checkType) as CheckType,
    resultType: final === 1 ? 'FINAL' : 'ATTEMPT',
    runLocation: words.of(location),
    ranOn: words.of(runner),
    startedAt,
    stoppedAt,
    createdAt: timeOfUuid(id),
    responseTime,
    checkRunId,
    attempts,
    sequenceId: typeof sequence === 'string' ? sequence : formatUuid(sequence),
    hasFailures: hasFailures === 1,
    hasErrors: hasErrors === 1,
    isDegraded: isDegraded === 1,
    overMaxResponseTime: overLimit === 1,
    failure: cause === null ? null : { cause: words.of(cause) as Cause, message: message ?? '' },
  };
}

/** The text of its body; null where it has none any more. */
export function bodyOf(row: ResultRow): string | null {
  const body = row[row.length - 1] as string | Uint8Array | null;
  return body === null ? null : unpackBody(body);
}
