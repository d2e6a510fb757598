import type { Clock } from '#shared/clock.ts';
import type { OfflineReason, RunCount } from '#shared/self-monitoring/connectivity.ts';
import type { ProbeVerdict } from './probes.ts';

/** What the machine of the own sight knows and is told, and what it reads from that. */

export interface ConnectivityInput {
  clock: Clock;
  /** Blindness that is over sooner is not told: a router that restarts its radio is no news. */
  toldAfterMs: number;
  /** Counts the checks that ran of late and no earlier than `since`, epoch ms. */
  count(since: number): RunCount;
}

export interface ConnectivityContext extends ConnectivityInput {
  /** When the canaries were last asked, epoch ms. */
  askedAt: number;
  /** What they said last while the monitor saw; null before, and after it was blind. */
  lastWord: LastWord | null;
  /** When the first of the runs that wait came, epoch ms; null where none waits. */
  doubtedAt: number | null;
  /**
   * When the first run came while the canaries were being asked, epoch ms: their word is older than
   * it. Null where none did.
   */
  doubtedAgainAt: number | null;
  /** Why it is blind now; empty while it sees. */
  reasons: readonly OfflineReason[];
  /** All reasons since it is blind, or last was. */
  allReasons: readonly OfflineReason[];
  /** Since when it is blind, epoch ms; null while it sees. */
  since: number | null;
  /** Whether people were told of it. */
  isTold: boolean;
}

/** What the canaries said when they were asked `at`, epoch ms. */
export interface LastWord extends Moment {
  word: ProbeVerdict;
}

export type ConnectivityEvent =
  /** A failing run that came `at`, epoch ms, waits, or a ping is overdue; it may be our own fault. */
  | { type: 'DOUBT'; at: number }
  /** The reasons that the appliance's own health gives, where they changed. */
  | { type: 'HEALTH'; reasons: readonly OfflineReason[] };

/** One time of not seeing. */
export interface Outage {
  /** All that it was for so far. */
  reasons: readonly OfflineReason[];
  /** Epoch ms. */
  since: number;
  /** Whether people were told of it. */
  isTold: boolean;
}

export interface Moment {
  /** Epoch ms. */
  at: number;
}

export interface Reasons {
  reasons: readonly OfflineReason[];
}

/** The least time between two questions, however many runs fail. */
const PACE_MS = 1_000;

/** Nothing is known yet: the canaries are asked first of all. */
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

/** How long the word that canaries answered serves the next runs of what failed before it. */
const WORD_SERVES_MS = 5_000;

/**
 * Whether a run in doubt need not wait, since asking anew could not excuse it. So where no canary was
 * ever relied upon: its silence would prove nothing. Else only a check that failed before they last
 * answered, a few seconds ago: one that was fine until now may fail because the network died since.
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
