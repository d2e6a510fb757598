import type { Clock } from '#shared/clock.ts';
import type { OfflineReason, RunCount } from '#shared/self-monitoring/connectivity.ts';
import type { ProbeVerdict } from './probes.ts';

/** The context and the events of the connectivity machine, and what it derives from them. */

export interface ConnectivityInput {
  clock: Clock;
  /** An outage that is over sooner is not notified: a router may just restart its radio. */
  toldAfterMs: number;
  /** Counts the checks that ran of late and no earlier than `since`, epoch ms. */
  count(since: number): RunCount;
}

export interface ConnectivityContext extends ConnectivityInput {
  /** When the probes were last asked, epoch ms. */
  askedAt: number;
  /** The last answer of the probes while online; null before it, and after an outage. */
  lastWord: LastWord | null;
  /** When the first of the runs that wait came, epoch ms; null where none waits. */
  doubtedAt: number | null;
  /**
   * When the first run came while the probes were being asked, epoch ms: their answer is older than
   * that run. Null where none came.
   */
  doubtedAgainAt: number | null;
  /** Why the appliance is offline; empty while it is online. */
  reasons: readonly OfflineReason[];
  /** All reasons of the current outage, or of the last one. */
  allReasons: readonly OfflineReason[];
  /** Since when the appliance is offline, epoch ms; null while it is online. */
  since: number | null;
  /** Whether people were notified of the outage. */
  isTold: boolean;
}

/** What the probes answered when they were asked `at`, epoch ms. */
export interface LastWord extends Moment {
  word: ProbeVerdict;
}

export type ConnectivityEvent =
  /** A run failed `at`, epoch ms, or a ping is overdue; either may be our own fault. */
  | { type: 'DOUBT'; at: number }
  /** The reasons that the host health gives to be offline, where they changed. */
  | { type: 'HEALTH'; reasons: readonly OfflineReason[] };

/** One time in which the appliance was offline. */
export interface Outage {
  /** All reasons so far. */
  reasons: readonly OfflineReason[];
  /** Epoch ms. */
  since: number;
  /** Whether people were notified of it. */
  isTold: boolean;
}

export interface Moment {
  /** Epoch ms. */
  at: number;
}

export interface Reasons {
  reasons: readonly OfflineReason[];
}

/** The probes are asked no more often than this, however many runs fail. */
const PACE_MS = 1_000;

/** Nothing is known yet, so the probes are asked first. */
export function initialContext(input: ConnectivityInput): ConnectivityContext {
  return {
    ...input,
    askedAt: Number.NEGATIVE_INFINITY,
    lastWord: null,
    doubtedAt: null,
    doubtedAgainAt: null,
    reasons: [],
    allReasons: [],
    since: null,
    isTold: false,
  };
}

export function untilQuestionMs({ askedAt, clock }: ConnectivityContext): number {
  const leftMs = askedAt + PACE_MS - clock.now();
  // A clock that was set back makes no wait longer.
  return Math.min(Math.max(0, leftMs), PACE_MS);
}

/** For so long an answer of the probes also counts for the next run of a check that failed before it. */
const WORD_SERVES_MS = 5_000;

/**
 * Whether a run in doubt need not wait, since no answer of the probes could excuse it: where no probe
 * is relied on, its silence proves nothing. Otherwise only a check that failed before the probes last
 * answered need not wait: one that passed until now may fail because the network died since.
 *
 * @param failedAt when the last run of the check was in doubt, epoch ms; null where it was not
 */
export function isForeseen(
  { lastWord, clock }: ConnectivityContext,
  failedAt: number | null,
  isAsking: boolean,
): boolean {
  if (lastWord === null || lastWord.word === 'silent') return false;
  if (lastWord.word === 'unknown') return true;
  const ageMs = clock.now() - lastWord.at;
  const isFresh = ageMs >= 0 && ageMs <= WORD_SERVES_MS;
  return isFresh && !isAsking && failedAt !== null && failedAt <= lastWord.at;
}

interface Subject {
  context: ConnectivityContext;
}

export function wordOf({ event }: { event: { output: ProbeVerdict } }) {
  return { word: event.output };
}

export function ofRun({ event }: { event: Moment }): Moment {
  return { at: event.at };
}

export function earlier(at: number, other: number | null): number {
  return other === null ? at : Math.min(at, other);
}

export function upToQuestion({ context }: Subject) {
  return { at: context.askedAt };
}

export function upToNow({ context }: Subject) {
  return { at: context.clock.now() };
}

export function outage({ context: { allReasons, since, isTold, clock } }: Subject): Outage {
  return { reasons: allReasons, since: since ?? clock.now(), isTold };
}

export function union(
  some: readonly OfflineReason[],
  more: readonly OfflineReason[],
): OfflineReason[] {
  return [...new Set([...some, ...more])];
}
