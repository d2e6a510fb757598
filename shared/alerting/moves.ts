import type { Alert } from './alert.ts';
import {
  type AlertState,
  type Episode,
  type FlapState,
  MAX_COUNT,
  NOBODY_TOLD,
  type Told,
} from './alert-state.ts';
import type { Standing } from './alert-type.ts';
import type { FlapSettings } from './flap-settings.ts';
import { changesAfter } from './flapping.ts';

/** How a run, then its alert, and switching a check off and on move its state. */

/** The state after a conclusive run that ended at `at` (epoch ms), before its alert. */
export function afterRun(
  state: AlertState,
  standing: Standing,
  at: number,
  flapSettings: FlapSettings,
): AlertState {
  const flapping = {
    changes: changesAfter(state, standing, at, flapSettings),
    episode: standing === state.standing ? state.flapping.episode : withChange(state.flapping),
  };
  if (standing === 'passing') {
    return { ...state, standing, streak: null, troubleSince: null, raised: null, flapping };
  }
  const isSame = standing === state.standing;
  const { runs, since } = (isSame ? state.streak : null) ?? { runs: 0, since: at };
  return {
    standing,
    streak: { runs: Math.min(runs + 1, MAX_COUNT), since },
    troubleSince: state.troubleSince ?? at,
    raised: isSame ? state.raised : null,
    told: state.told,
    flapping,
  };
}

/**
 * Nothing that was can be still to come: where the clock was set back, minutes are counted from now
 * on. Else an escalation by time, or a reminder, would wait until the clock is where it was.
 */
export function notAhead(state: AlertState, at: number): AlertState {
  const { streak, troubleSince, raised, flapping } = state;
  const times = [streak?.since, troubleSince, raised?.lastAt, flapping.changes.at(-1)?.at];
  if (times.every((time) => time == null || time <= at)) return state;
  return {
    ...state,
    streak: streak && { ...streak, since: Math.min(streak.since, at) },
    troubleSince: troubleSince && Math.min(troubleSince, at),
    raised: raised && { ...raised, lastAt: Math.min(raised.lastAt, at) },
    flapping: {
      ...flapping,
      changes: flapping.changes.map((one) => ({ ...one, at: Math.min(one.at, at) })),
    },
  };
}

/** The state after the alert of a run, as {@link afterRun} left it; null where there is none. */
export function afterAlert(moved: AlertState, alert: Alert | null, at: number): AlertState {
  if (moved.standing === 'passing') {
    return { ...moved, told: NOBODY_TOLD, flapping: flappingAfter(moved, alert) };
  }
  if (alert === null) return moved;
  return {
    ...moved,
    raised: { type: alert.type, sent: alert.notify, reminders: 0, lastAt: at },
    told: toldAfter(moved.told, moved.standing, alert),
    flapping: flappingAfter(moved, alert),
  };
}

function flappingAfter({ standing, flapping }: AlertState, alert: Alert | null): FlapState {
  if (alert === null) return flapping;
  if (alert.occasion === 'settled') return { changes: [], episode: null };
  const isPart = alert.occasion === 'flapping' || alert.withheld === 'flapping';
  if (!isPart) return flapping;
  const { troubleSince: since, changes } = alert;
  const { told, ...episode } = flapping.episode ?? { since, changes, told: NOBODY_TOLD };
  const next = { ...episode, last: alert.type, told: toldAfter(told, standing, alert) };
  return { ...flapping, episode: next };
}

function withChange({ episode }: FlapState): Episode | null {
  return episode && { ...episode, changes: Math.min(episode.changes + 1, MAX_COUNT) };
}

/** An alert that is held while flapping counts as told: that the check is flapping tells it. */
function toldAfter(told: Told, standing: Standing, { notify, withheld }: Alert): Told {
  if (standing === 'passing' || !(notify || withheld === 'flapping')) return told;
  return { ...told, [standing]: true };
}

/**
 * The state of a check that is deactivated, or activated again: it may be applied at either.
 *
 * A count never spans the time between, no reminder is due any more, and what was told stays told.
 * So a check that passes when it is back has recovered; one that still fails alerts anew, at its
 * threshold.
 */
export function suspended(state: AlertState): AlertState {
  return {
    ...state,
    streak: null,
    raised: null,
    flapping: { ...state.flapping, changes: [] },
  };
}
