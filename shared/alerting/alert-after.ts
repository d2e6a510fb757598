import type { Alert, AlertDecision, AlertPolicy } from './alert.ts';
import type { AlertState, Episode } from './alert-state.ts';
import { type AlertType, TRANSITIONS } from './alert-type.ts';
import { isCalm, startsFlapping } from './flapping.ts';
import { afterAlert, afterRun, notAhead } from './moves.ts';
import { type RunOutcome, runVerdict } from './outcome.ts';
import { quietedBy } from './policy.ts';
import { isThresholdReached } from './threshold.ts';

/**
 * The alert decision of one scheduled run or heartbeat event: what to record, what to
 * send, and the state to keep with it. An inconclusive run leaves everything as it was.
 */
export function alertAfter(
  before: AlertState,
  outcome: RunOutcome,
  policy: AlertPolicy,
): AlertDecision {
  const standing = runVerdict(outcome, policy.settings.parallelRunFailureThreshold);
  if (standing === 'inconclusive') return { state: before, alert: null };
  const { at } = outcome;
  const state = notAhead(before, at);
  const moved = afterRun(state, standing, at, policy.flapping);
  const type = dueType(state, moved, at, policy);
  const said = whatToSay(moved, type, at, policy);
  const alert = said && { ...said, ...factsOf(state, moved, said, at) };
  return { state: afterAlert(moved, alert, at), alert };
}

/** The type that the table of transitions gives; null where it gives none yet, or none any more. */
function dueType(
  from: AlertState,
  to: AlertState,
  at: number,
  { settings }: AlertPolicy,
): AlertType | null {
  const { type, moment } = TRANSITIONS[from.standing][to.standing];
  switch (moment) {
    case 'never':
      return null;
    case 'at once':
      return type;
    case 'when it was told':
      return from.told.degraded || from.told.failing ? type : 'NO_ALERT';
    case 'at the threshold':
      if (to.raised !== null || to.streak === null) return null;
      return isThresholdReached(to.streak, at, settings) ? type : null;
  }
}

type Said = Pick<Alert, 'type' | 'occasion' | 'isNew' | 'notify' | 'withheld'>;

function say(said: Omit<Said, 'notify'>): Said {
  return { ...said, notify: said.withheld === null };
}

/** Who wins: what was never told, then flapping, then muting, then maintenance. */
function whatToSay(
  moved: AlertState,
  type: AlertType | null,
  at: number,
  policy: AlertPolicy,
): Said | null {
  const { episode } = moved.flapping;
  if (episode !== null && hasSettled(moved, type, at, policy)) {
    return settledAlert(episode, type, policy);
  }
  if (type === null) return null;
  if (type === 'NO_ALERT') return say({ type, occasion: 'run', isNew: true, withheld: 'untold' });
  if (episode !== null) return say({ type, occasion: 'run', isNew: true, withheld: 'flapping' });
  const withheld = quietedBy(policy);
  const isFlapping = withheld === null && startsFlapping(moved, type, policy.flapping);
  return say({ type, occasion: isFlapping ? 'flapping' : 'run', isNew: true, withheld });
}

/** A streak that is still below its threshold may yet end unsaid, and is waited for. */
function hasSettled(moved: AlertState, type: AlertType | null, at: number, policy: AlertPolicy) {
  const isPending = moved.standing !== 'passing' && moved.raised === null && type === null;
  return !isPending && isCalm(moved, at, policy.flapping);
}

/** Says the alert of this run, if it has one, else the last one again. */
function settledAlert(episode: Episode, due: AlertType | null, policy: AlertPolicy): Said {
  const isNew = due !== null && due !== 'NO_ALERT';
  const type = isNew ? due : episode.last;
  return say({ type, occasion: 'settled', isNew, withheld: quietedBy(policy) });
}

function factsOf(from: AlertState, to: AlertState, { occasion }: Said, at: number) {
  const { changes, episode } = to.flapping;
  const streak = to.streak ?? from.streak;
  const facts = {
    reminderSequence: 0,
    since: streak?.since ?? from.troubleSince ?? changes.at(-1)?.at ?? at,
    troubleSince: to.troubleSince ?? from.troubleSince ?? at,
    changes: 0,
    told: from.told,
  };
  if (occasion === 'flapping') {
    return { ...facts, troubleSince: changes[0]?.at ?? at, changes: changes.length };
  }
  if (occasion !== 'settled' || episode === null) return facts;
  return {
    ...facts,
    troubleSince: episode.since,
    changes: episode.changes,
    told: episode.told,
  };
}
