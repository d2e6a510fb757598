import type { Told } from '#shared/alerting/alert-state.ts';
import { ALERT_SUBJECTS, type AlertSubject, type AlertType } from '#shared/alerting/alert-type.ts';
import type { ChannelFlags } from './channel.ts';

type WantFlag = 'sendRecovery' | 'sendFailure' | 'sendDegraded' | 'sslExpiry';

/** The flag that an alert needs, by what it says. */
export const FLAG_OF = {
  passing: 'sendRecovery',
  failing: 'sendFailure',
  degraded: 'sendDegraded',
  expiry: 'sslExpiry',
  nothing: null,
} as const satisfies { [S in AlertSubject]: WantFlag | null };

const EVERYTHING_TOLD: Told = { degraded: true, failing: true };

/**
 * Whether a channel wants an alert. `told` is what receivers had been told before (`Alert.told`).
 *
 * A recovery from degraded runs is wanted only by a channel that was told of the trouble: with the
 * default flags it was not, and a recovery would be the first that it hears.
 */
export function channelWants(
  flags: Pick<ChannelFlags, WantFlag>,
  type: AlertType,
  told: Told = EVERYTHING_TOLD,
): boolean {
  const flag = FLAG_OF[ALERT_SUBJECTS[type]];
  if (flag === null || !flags[flag]) return false;
  if (type !== 'ALERT_DEGRADED_RECOVERY') return true;
  return (flags.sendDegraded && told.degraded) || (flags.sendFailure && told.failing);
}
