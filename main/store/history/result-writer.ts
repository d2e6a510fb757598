import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoredResult } from '#shared/results/check-result.ts';
import type { ArtifactRows } from './artifact-rows.ts';
import type { Bodies, BodyKind } from './bodies.ts';
import type { Dictionary } from './dictionary.ts';
import type { KeptResult } from './history.ts';
import { packMore, toColumns } from './metrics.ts';
import { parseUuid, requireUuid, timeOfUuid, uuidAtTime } from './uuid.ts';

const COLUMNS = [
  'check_key',
  'id',
  'check_type',
  'final',
  'slot',
  'location',
  'runner',
  'started_at',
  'stopped_at',
  'response_ms',
  'run',
  'attempts',
  'sequence',
  'status_code',
  'has_failures',
  'has_errors',
  'is_degraded',
  'over_limit',
  'cause',
  'message',
  'm1',
  'm2',
  'm3',
  'm4',
  'm5',
  'm6',
  'passing_detail',
  'failing_detail',
  'given_id',
] as const;

const MAX_MESSAGE_LENGTH = 2_000;

/** What became of a result. */
export interface WrittenResult {
  /** False where it was there already, or its slot had its FINAL result. */
  kept: boolean;
  /** Whether it had a body too large to keep. */
  oversized: boolean;
}

/** Writes results: the numbers into their row, the body beside it. */
export class ResultWriter {
  readonly #insert: StatementSync;
  readonly #insertMore: StatementSync;
  readonly #keys: Dictionary;
  readonly #details: Bodies;
  readonly #artifacts: ArtifactRows;

  constructor(
    database: DatabaseSync,
    { keys, details, artifacts }: { keys: Dictionary; details: Bodies; artifacts: ArtifactRows },
  ) {
    this.#insert = database.prepare(
      `INSERT INTO results (${COLUMNS.join(', ')})
       VALUES (${COLUMNS.map(() => '?').join(', ')})
       ON CONFLICT DO NOTHING`,
    );
    this.#insertMore = database.prepare(
      'INSERT INTO more_metrics (check_key, id, body) VALUES (?, ?, ?)',
    );
    this.#keys = keys;
    this.#details = details;
    this.#artifacts = artifacts;
  }

  /** @throws StoreError `INVALID` where the id is no UUID */
  write(checkKey: number, { result, detail, artifacts }: KeptResult): WrittenResult {
    const given = requireUuid(result.id);
    const isOfTime = timeOfUuid(given) === result.createdAt;
    const ids = isOfTime
      ? { id: given, given: null }
      : { id: uuidAtTime(given, result.createdAt), given };
    const kind = detailKind(result);
    const detailId = this.#details.add(kind, result.createdAt, detail);
    const kept = this.#insertRow(checkKey, ids, result, kind, detailId);
    // The row names its body, so the body comes first and goes again where the row was refused.
    if (!kept && detailId !== null) this.#details.remove(kind, detailId);
    if (kept && artifacts) {
      const owner = { checkKey, resultId: ids.id };
      this.#artifacts.add(owner, result, result.createdAt, artifacts);
    }
    return { kept, oversized: kept && detailId === null };
  }

  #insertRow(
    checkKey: number,
    { id, given }: { id: Uint8Array; given: Uint8Array | null },
    result: StoredResult,
    kind: BodyKind,
    detailId: number | null,
  ): boolean {
    const { failure } = result;
    const { changes } = this.#insert.run(
      checkKey,
      id,
      this.#keys.word(result.checkType),
      Number(result.resultType === 'FINAL'),
      result.slot,
      this.#keys.word(result.runLocation),
      this.#keys.word(result.ranOn),
      result.startedAt,
      result.stoppedAt,
      result.responseTime,
      result.checkRunId,
      result.attempts,
      parseUuid(result.sequenceId) ?? result.sequenceId,
      result.statusCode,
      Number(result.hasFailures),
      Number(result.hasErrors),
      Number(result.isDegraded),
      Number(result.overMaxResponseTime),
      failure ? this.#keys.word(failure.cause) : null,
      failure ? failure.message.slice(0, MAX_MESSAGE_LENGTH) : null,
      ...toColumns(result.checkType, result.metrics),
      kind === 'passing' ? detailId : null,
      kind === 'failing' ? detailId : null,
      given,
    );
    const more = changes > 0 ? packMore(result) : null;
    if (more !== null) this.#insertMore.run(checkKey, id, more);
    return changes > 0;
  }
}

/** Bodies of whatever is not plainly fine are kept longer. */
function detailKind({ hasFailures, hasErrors, isDegraded }: StoredResult): BodyKind {
  return hasFailures || hasErrors || isDegraded ? 'failing' : 'passing';
}
