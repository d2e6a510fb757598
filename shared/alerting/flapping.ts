import type { AlertState, Change } from './alert-state.ts';
import { ALERT_SUBJECTS, type AlertType, type Standing } from './alert-type.ts';
import type { FlapSettings } from './flap-settings.ts';
import { MINUTE_MS } from './threshold.ts';

/**
 * Flapping: many changes within few results are said once, in place of an alert that would have been
 * sent; what follows is recorded and held until the check settles. Then one message tells how it
 * stands. As it only takes the place of alerts, a check whose threshold is never reached flaps in
 * silence.
 */

/** The latest changes that count after one more run that ended at `at`, its own among them. */
export function changesAfter(
  { standing, flapping }: AlertState,
  to: Standing,
  at: number,
  settings: FlapSettings,
): Change[] {
  const windowMs = settings.withinMinutes * MINUTE_MS;
  const older = flapping.changes
    .map((change) => ({ ...change, runsAgo: change.runsAgo + 1 }))
    .filter((change) => change.runsAgo < settings.withinRuns && at - change.at < windowMs);
  const changes = to === standing ? older : [...older, { to, at, runsAgo: 0 }];
  return changes.slice(-settings.changes);
}

/**
 * Whether an alert that is about to be sent says instead that the check is flapping. Only one of the
 * worst standing that the check lately came to does, so that it reaches who wants to know of that.
 */
export function startsFlapping(
  { flapping: { changes } }: AlertState,
  type: AlertType,
  settings: FlapSettings,
): boolean {
  if (!settings.enabled || changes.length < settings.changes) return false;
  const worst = changes.some(({ to }) => to === 'failing') ? 'failing' : 'degraded';
  return ALERT_SUBJECTS[type] === worst;
}

/**
 * Whether a flapping check has stayed as it is for long enough at `at`, the end of its last run.
 * Switching flapping off settles it too.
 */
export function isCalm({ flapping }: AlertState, at: number, settings: FlapSettings): boolean {
  const last = flapping.changes.at(-1);
  return (
    !settings.enabled ||
    last === undefined ||
    last.runsAgo + 1 >= settings.settledAfterRuns ||
    at - last.at >= settings.settledAfterMinutes * MINUTE_MS
  );
}
