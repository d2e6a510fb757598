import type { CheckRuns, RunFollower, RunOverrides } from '#main/monitoring/check-runs-port.ts';
import type { Log } from '#main/platform/log.ts';
import type { HistoryRecords, KeptResult } from '#main/store/history/history.ts';
import type { Clock } from '#shared/clock.ts';
import { InTurns } from './in-turns.ts';
import { RunQueues } from './run-queues.ts';
import type { SessionRules } from './session.machine.ts';
import { SessionRegistry } from './session-registry.ts';

/** One run of one check for a session. */
export interface SessionRun {
  /** UUID; the same again after a restart. */
  id: string;
  sessionId: string;
  checkId: string;
  overrides: RunOverrides;
  /** Whether it was under way before a restart. */
  isUnderWay?: boolean;
}

/** What differs between the kinds of sessions. */
export interface SessionKind<S> {
  /** Whether results count like scheduled ones, for the status of their checks. */
  countsForCheck: boolean;
  rules: SessionRules<S>;
  /** How many sessions are remembered after their end: the store may not show it yet. */
  maxEnded: number;
  /** Writes a session as it stands. */
  write(session: S): Promise<void>;
  /** A session in the history. */
  find(sessionId: string): Promise<S | null>;
  /** What a result changed, to be written in one transaction with it. */
  recordsOf(session: S, runId: string, kept: KeptResult): HistoryRecords;
  /** The runs that a session still waits for. */
  pendingRuns(session: S): { id: string; checkId: string }[];
  /** Called with each session that is another now: it began, has a result, or is over. */
  changed(session: S): void;
  /** Called for each session that is over. */
  ended(session: S): void;
}

interface SessionActorsParts {
  runs: CheckRuns;
  clock: Clock;
  log: Log;
}

/** The actors of sessions of one kind, and the queues in which their runs start. */
export class SessionActors<S extends { id: string }> {
  readonly registry: SessionRegistry<S>;
  readonly #kind: SessionKind<S>;
  readonly #checkRuns: CheckRuns;
  readonly #turns = new InTurns();
  readonly #queues: RunQueues;
  /** The runs by id, until they are over. */
  readonly #runs = new Map<string, SessionRun>();

  constructor(kind: SessionKind<S>, { runs, clock, log }: SessionActorsParts) {
    this.#kind = kind;
    this.#checkRuns = runs;
    const cancelRuns = (session: S) => this.#cancelRuns(session);
    this.registry = new SessionRegistry({ ...kind, clock, log, cancelRuns });
    this.#queues = new RunQueues({
      turns: this.#turns,
      clock,
      log,
      start: (id) => this.#start(id),
    });
  }

  /** Follows a session in its turn. */
  follow(sessionId: string): void {
    this.#turns.add(() => this.registry.follow(sessionId));
  }

  /**
   * Has runs start in this order, after those of the same queue, at most so many at a time; what was
   * under way goes on, however much that is. All runs of a session are in one queue.
   */
  join(queue: string, runs: readonly SessionRun[], concurrency: number): void {
    for (const run of runs) this.#runs.set(run.id, run);
    const waiting = runs.filter(({ isUnderWay }) => !isUnderWay).map(({ id }) => id);
    const underWay = runs.filter(({ isUnderWay }) => isUnderWay).map(({ id }) => id);
    this.#queues.join(queue, { waiting, underWay }, concurrency);
    for (const id of underWay) this.#turns.add(() => this.#start(id));
  }

  #start(id: string): void {
    const run = this.#runs.get(id);
    // A run that waits when the appliance stops starts after the restart.
    if (!run || this.registry.isStopped) return;
    const follower = this.#follower(run);
    const isRequested =
      this.registry.open(run.sessionId) !== undefined &&
      this.#checkRuns.order(run.checkId, { id, overrides: run.overrides }, follower);
    if (!isRequested) follower.ended('deleted');
  }

  #follower({ id: runId, sessionId }: SessionRun): RunFollower {
    const { registry } = this;
    return {
      countsForCheck: this.#kind.countsForCheck,
      started: (run) => registry.send(sessionId, { type: 'RUN_STARTED', runId, run }),
      settled: (kept, isKept) => {
        const session = registry.settle(sessionId, { runId, result: kept.result, isKept });
        return {
          also: session ? this.#kind.recordsOf(session, runId, kept) : {},
          onKept: () => session && registry.isKept(session),
        };
      },
      ended: (how) => {
        registry.send(sessionId, { type: 'RUN_ENDED', runId, how });
        // A run leaves its queue here and not with its session: its last attempt still takes up room.
        this.#runs.delete(runId);
        this.#queues.ended(runId);
      },
    };
  }

  #cancelRuns(session: S): void {
    const pending = this.#kind.pendingRuns(session);
    const waiting = pending.filter(({ id }) => this.#queues.isWaiting(id));
    const isWaiting = new Set(waiting.map(({ id }) => id));
    this.#queues.leave([...isWaiting]);
    for (const { id, checkId } of pending) {
      // Runs that wait in a queue are ended here: their checks do not know them yet.
      if (isWaiting.has(id)) this.#runs.delete(id);
      else this.#checkRuns.cancel(checkId, id);
    }
  }
}
