import { channelsPageText } from '#renderer/messages/alerting.ts';
import type { ShownChannel } from '#shared/notifications/view.ts';

const { wants } = channelsPageText;

/** What a channel is told of, in words: `fails, recovers`. */
export function wantsOf(channel: ShownChannel): string {
  const said = [
    channel.sendFailure && wants.sendFailure,
    channel.sendDegraded && wants.sendDegraded,
    channel.sendRecovery && wants.sendRecovery,
    channel.sslExpiry && wants.sslExpiry(channel.sslExpiryThreshold),
  ].filter(Boolean);
  return said.length === 0 ? wants.nothing : said.join(', ');
}
