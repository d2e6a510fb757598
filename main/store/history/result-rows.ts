import type { CheckType } from '#shared/checks/enums.ts';
import type { ShownResult } from '#shared/results/check-result.ts';
import type { Cause } from '#shared/runs/protocol.ts';
import { unpackBody } from './body-text.ts';
import { formatUuid, timeOfUuid } from './uuid.ts';

/** Results with their words and bodies, without their metrics; a condition on `r` follows. */
export const SELECT_RESULTS = `
  SELECT r.id, r.given_id, t.word AS check_type, r.final, r.slot, l.word AS location, n.word AS runner,
    r.started_at, r.stopped_at, r.response_ms, r.run, r.attempts, r.sequence, r.status_code,
    r.has_failures, r.has_errors, r.is_degraded, r.over_limit, c.word AS cause, r.message,
    coalesce(p.body, f.body) AS detail
  FROM results r
  JOIN words t ON t.key = r.check_type
  JOIN words l ON l.key = r.location
  JOIN words n ON n.key = r.runner
  LEFT JOIN words c ON c.key = r.cause
  LEFT JOIN passing_details p ON p.id = r.passing_detail
  LEFT JOIN failing_details f ON f.id = r.failing_detail`;

/** A row of {@link SELECT_RESULTS}. */
export interface ResultRow {
  /** Its place in the lists, by the time when it was settled. */
  id: Uint8Array;
  /** The result's id where it is another. */
  given_id: Uint8Array | null;
  check_type: CheckType;
  final: number;
  slot: number | null;
  location: string;
  runner: string;
  started_at: number;
  stopped_at: number;
  response_ms: number;
  run: number;
  attempts: number;
  sequence: string | Uint8Array;
  status_code: number | null;
  has_failures: number;
  has_errors: number;
  is_degraded: number;
  over_limit: number;
  cause: Cause | null;
  message: string | null;
  detail: string | Uint8Array | null;
}

/** The result that a row holds, and its body where it is still kept. */
export function readRow(
  checkId: string,
  row: ResultRow,
): { result: ShownResult; detail: string | null } {
  const result = {
    id: formatUuid(row.given_id ?? row.id),
    checkId,
    checkType: row.check_type,
    resultType: row.final === 1 ? ('FINAL' as const) : ('ATTEMPT' as const),
    slot: row.slot,
    runLocation: row.location,
    ranOn: row.runner,
    startedAt: row.started_at,
    stoppedAt: row.stopped_at,
    createdAt: timeOfUuid(row.id),
    responseTime: row.response_ms,
    checkRunId: row.run,
    attempts: row.attempts,
    sequenceId: typeof row.sequence === 'string' ? row.sequence : formatUuid(row.sequence),
    statusCode: row.status_code,
    hasFailures: row.has_failures === 1,
    hasErrors: row.has_errors === 1,
    isDegraded: row.is_degraded === 1,
    overMaxResponseTime: row.over_limit === 1,
    failure: row.cause === null ? null : { cause: row.cause, message: row.message ?? '' },
  };
  return { result, detail: row.detail === null ? null : unpackBody(row.detail) };
}
