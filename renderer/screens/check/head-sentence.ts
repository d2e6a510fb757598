import { text } from '#renderer/messages/messages.ts';
import { span } from '#renderer/parts/format.ts';
import type { CheckState } from '#shared/summaries/check-state.ts';

const { head } = text.check;

/** What the head of a check is said of. */
export interface HeadFacts {
  state: CheckState;
  /** When it began to fail, epoch ms; null where that is not known, or it does not. */
  failingSince: number | null;
  /** Why, shortly. */
  reason: string | undefined;
  /** Of the last runs, newest first: whether each failed. */
  failed: readonly boolean[];
  isHeartbeat: boolean;
}

const RECENT_RUNS = 10;

/** The state with how long it lasts, and the sentence beside it. */
export function headSentence(facts: HeadFacts, now: number): { badge: string; sentence: string } {
  const { state, failingSince, reason, isHeartbeat } = facts;
  const failed = facts.failed.slice(0, RECENT_RUNS);
  const count = failed.filter(Boolean).length;
  const recent = count > 0 ? head.failedRuns(count, failed.length) : undefined;
  const badge =
    state === 'failing' && failingSince !== null
      ? head.failingFor(span(Math.max(0, now - failingSince)))
      : text.parts.states[state];
  const said: Record<CheckState, (string | undefined)[]> = {
    failing: [reason && ended(capital(reason)), recent],
    degraded: [head.degraded, recent],
    inconclusive: [reason && ended(capital(reason)), head.inconclusive],
    pending: [isHeartbeat ? head.waiting : head.pending],
    paused: [head.paused],
    passing: [recent ?? (failed.length > 1 ? head.allPassed(failed.length) : undefined)],
  };
  return { badge, sentence: said[state].filter(Boolean).join(' ') };
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function ended(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
