import type { Log } from '#main/platform/log.ts';
import type { Standing } from '#shared/alerting/alert-type.ts';
import type { FinalRun } from '#shared/alerting/final-run.ts';
import type { Check } from '#shared/checks/check.ts';

/** A check that stands otherwise than before its last run. */
interface Move {
  check: Pick<Check, 'id' | 'name'>;
  before: Standing;
  after: Standing;
  /** The run that moved it. */
  final: FinalRun | null;
}

/** One line of the log for a change of state, whether anybody is alerted or not; none without one. */
export function logMove(
  log: Pick<Log, 'info' | 'warn'>,
  { check: { id: checkId, name }, before, after, final }: Move,
): void {
  if (before === after) return;
  if (after === 'passing') log.info({ checkId }, `"${name}" is passing again.`);
  else log.warn({ checkId }, `"${name}" is ${after}${final?.error ? `: ${final.error}` : '.'}`);
}
