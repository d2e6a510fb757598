import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { StormSettings } from '#shared/notifications/storm-settings.ts';
import type { OutboxLimits } from './delivery-port.ts';

/** The limits of the outbox as they are at each moment: the account's, else those of the start. */
export function stormLimits(
  { account }: Pick<Configuration, 'account'>,
  started: OutboxLimits,
): OutboxLimits {
  const own = (): StormSettings | undefined => account.all()[0]?.storms;
  return {
    get stormAlerts() {
      return own()?.alerts ?? started.stormAlerts;
    },
    get messagesPerMinute() {
      return own()?.messagesPerMinute ?? started.messagesPerMinute;
    },
  };
}
