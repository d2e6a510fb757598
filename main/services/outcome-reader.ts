import type { History, OutcomeRow } from '#main/store/history/history.ts';
import { heartbeatOutcome, type RunOutcome, verdictOf } from '#shared/alerting/outcome.ts';
import type { TimeRange } from '#shared/api/time-range.ts';
import { type Check, isHeartbeat } from '#shared/checks/check.ts';
import { refuseProblems } from './service-error.ts';

/** So many results of one simulation; a check that runs each minute has 44,640 in 31 days. */
const MAX_OUTCOMES = 500_000;
/** Results read at once: a thousand take up to 8 ms to go through while the code is cold. */
const SLICE = 500;

/** What is read of the history for one simulation; bounded. */
export class OutcomeReader {
  readonly #history: Pick<History, 'listOutcomes' | 'listHeartbeatEvents'>;
  readonly #most: number;
  #count = 0;

  constructor(
    history: Pick<History, 'listOutcomes' | 'listHeartbeatEvents'>,
    most: number = MAX_OUTCOMES,
  ) {
    this.#history = history;
    this.#most = most;
  }

  /** Results and heartbeat events so far. */
  get count(): number {
    return this.#count;
  }

  /** Whether nothing more may be read. */
  get isFull(): boolean {
    return this.#count > this.#most;
  }

  /** The runs of a check in a period, or its heartbeat events, oldest first and slice by slice. */
  outcomesOf(check: Check, window: TimeRange): AsyncGenerator<RunOutcome[]> {
    return isHeartbeat(check) ? this.#events(check.id, window) : this.#runs(check.id, window);
  }

  /** The results of a run belong together, as it counts once. A check has one run at a time. */
  async *#runs(checkId: string, window: TimeRange): AsyncGenerator<RunOutcome[]> {
    let open: OutcomeRow[] = [];
    for await (const rows of this.#rows(checkId, window)) {
      const runs: RunOutcome[] = [];
      for (const row of rows) {
        const [first] = open;
        if (first && first.checkRunId !== row.checkRunId) {
          runs.push(runOf(open));
          open = [];
        }
        open.push(row);
      }
      yield runs;
    }
    if (open.length > 0) yield [runOf(open)];
  }

  async *#rows(checkId: string, { from, to }: TimeRange): AsyncGenerator<OutcomeRow[]> {
    const checkIds = [checkId];
    for (let start = from; ; ) {
      const rows = await this.#history.listOutcomes({ checkIds, from: start, to, limit: SLICE });
      const last = rows.at(-1);
      const isLast = last === undefined || rows.length < SLICE;
      // The rest of that moment comes with the next slice; a check has few results at one moment.
      const whole = isLast ? rows : rows.filter(({ createdAt }) => createdAt < last.createdAt);
      this.#take(whole.length);
      yield whole;
      if (isLast) return;
      start = Math.max(last.createdAt, start + 1);
    }
  }

  /** Events are read newest first, so all are at hand before the first is given. */
  async *#events(checkId: string, { from, to }: TimeRange): AsyncGenerator<RunOutcome[]> {
    const newestFirst: RunOutcome[] = [];
    for (let end = to; ; ) {
      const events = await this.#history.listHeartbeatEvents({
        checkId,
        from,
        to: end,
        limit: SLICE,
      });
      const last = events.at(-1);
      const isLast = last === undefined || events.length < SLICE;
      const whole = isLast ? events : events.filter(({ timestamp }) => timestamp > last.timestamp);
      this.#take(whole.length);
      newestFirst.push(...whole.map(heartbeatOutcome));
      if (isLast) break;
      end = Math.min(last.timestamp + 1, end - 1);
    }
    const oldestFirst = newestFirst.reverse();
    for (let at = 0; at < oldestFirst.length; at += SLICE) yield oldestFirst.slice(at, at + SLICE);
  }

  #take(count: number): void {
    this.#count += count;
    if (this.#count <= this.#most) return;
    const message = `expected a period with at most ${this.#most} results of these checks`;
    refuseProblems({ source: 'payload', problems: [{ path: 'to', message }] });
  }
}

function runOf(rows: readonly OutcomeRow[]): RunOutcome {
  return {
    at: rows.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0),
    // A run over its time limit is kept as one that failed.
    verdicts: rows.map((row) => verdictOf({ ...row, overMaxResponseTime: false })),
  };
}
