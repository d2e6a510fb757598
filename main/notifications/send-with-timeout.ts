import type { Log } from '#main/platform/log.ts';
import type { Clock } from '#shared/clock.ts';
import { type AlertChannel, channelName } from '#shared/notifications/channel.ts';
import type { NotificationContent } from '#shared/notifications/notice.ts';
import { titleOf } from '#shared/notifications/title.ts';
import { failed } from './channels/delivery.ts';
import type { Delivery } from './channels/sender.ts';

/** What a send needs. */
export interface SendParts {
  clock: Clock;
  log: Log;
  /** Whether the network of this machine is known to be dead: then no try that fails counts. */
  isNetworkDown(): boolean;
  /** Sends a content once. */
  send(channel: AlertChannel, content: NotificationContent): Promise<Delivery>;
}

/** A send is given up after this time, which is longer than any sender's own limit. */
const PATIENCE_MS = 60_000;

/**
 * Sends once, within a time limit: a sender that hangs or throws is a failed try. A failure while the
 * network of this machine is dead does not count against the channel. Never rejects.
 */
export async function sendWithTimeout(
  channel: AlertChannel,
  content: NotificationContent,
  { clock, log, isNetworkDown, send }: SendParts,
): Promise<Delivery> {
  const wasNetworkDown = isNetworkDown();
  const { promise: patience, resolve } = Promise.withResolvers<Delivery>();
  const lost = failed(`no end after ${PATIENCE_MS} ms`, { permanent: false });
  const timer = clock.setTimeout(() => resolve(lost), PATIENCE_MS);
  try {
    const delivery = await Promise.race([send(channel, content), patience]);
    return wasNetworkDown || isNetworkDown() ? { ...delivery, isOurFault: true } : delivery;
  } catch (error) {
    log.error({ err: error, channelId: channel.id }, 'A sender failed by a fault of ours.');
    return failed('a fault of Watchpost; its log says more', { permanent: false });
  } finally {
    clock.clearTimeout(timer);
  }
}

interface Try {
  channel: AlertChannel;
  content: NotificationContent;
  delivery: Delivery;
}

/** One line of the log for a message that was sent, or that a channel did not take; none for no message. */
export function logDelivery(
  log: Pick<Log, 'info' | 'warn'>,
  { channel, content, delivery: { outcome, detail, isUnsent } }: Try,
): void {
  if (isUnsent) return;
  const fields = { channelId: channel.id };
  const [name, title] = [channelName(channel), titleOf(content)];
  if (outcome === 'SUCCESS') log.info(fields, `Sent to ${name}: ${title}`);
  else log.warn(fields, `Not sent to ${name} (${detail}): ${title}`);
}
