import type { Log } from '#main/platform/log.ts';
import { type AlertChannel, channelName } from '#shared/notifications/channel.ts';
import type { NotificationContent } from '#shared/notifications/notice.ts';
import { titleOf } from '#shared/notifications/title.ts';
import type { Delivery } from './channels/sender.ts';

interface Try {
  channel: AlertChannel;
  notice: NotificationContent;
  delivery: Delivery;
}

/** One line of the log for a message that was sent, or that a channel did not take; none for no message. */
export function logDelivery(
  log: Pick<Log, 'info' | 'warn'>,
  { channel, notice, delivery: { outcome, detail, isUnsent } }: Try,
): void {
  if (isUnsent) return;
  const fields = { channelId: channel.id };
  const [name, title] = [channelName(channel), titleOf(notice)];
  if (outcome === 'SUCCESS') log.info(fields, `Sent to ${name}: ${title}`);
  else log.warn(fields, `${name} did not take "${title}": ${detail}`);
}
