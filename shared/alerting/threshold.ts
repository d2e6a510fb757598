import type { AlertSettings } from '#shared/checks/blocks.ts';
import type { Streak } from './alert-state.ts';

export const MINUTE_MS = 60_000;

/**
 * Whether a streak whose last run ended at `at` (epoch ms) has reached the escalation's threshold:
 * so many runs in a row or, measured from the end of the first of them, so many minutes.
 * Both are known of every streak, so the settings may change in the middle of one; the next
 * run is judged by the new ones.
 */
export function isThresholdReached({ runs, since }: Streak, at: number, settings: AlertSettings) {
  const reached = {
    RUN_BASED: () => runs >= settings.runBasedEscalation.failedRunThreshold,
    TIME_BASED: () =>
      at - since >= settings.timeBasedEscalation.minutesFailingThreshold * MINUTE_MS,
  };
  return reached[settings.escalationType]();
}
