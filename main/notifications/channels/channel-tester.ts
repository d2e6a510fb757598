import type { Problem } from '#shared/api/problems.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';
import { testNotice } from '#shared/notifications/test-notice.ts';
import type { Delivery, SendPorts } from './sender.ts';
import { channelProblems, channelWarnings, sendNotice } from './senders.ts';

/** Tests go to other people's phones and servers. */
const MAX_TESTS = 10;
const WINDOW_MS = 60_000;

/** A test that was not sent, as there were too many. */
interface TooSoon {
  waitMs: number;
}

/** Alert channels, as the API works with them. */
export class ChannelTester {
  readonly #ports: SendPorts;
  #sentAt: readonly number[] = [];

  constructor(ports: SendPorts) {
    this.#ports = ports;
  }

  /** What keeps a channel from being saved; asks name servers and, for e-mail, the mail server. */
  problemsOf(channel: Pick<AlertChannel, 'type' | 'config'>): Promise<Problem[]> {
    return channelProblems(channel, this.#ports);
  }

  /** What can be saved and does not work until the operator sets more. */
  warningsOf({ type }: Pick<AlertChannel, 'type'>): string[] {
    return channelWarnings(type, this.#ports);
  }

  /** Sends a test, at most 10 a minute over all channels. */
  async test(channel: AlertChannel): Promise<Delivery | TooSoon> {
    const now = this.#ports.now();
    const recent = this.#sentAt.filter((at) => Math.abs(now - at) < WINDOW_MS);
    const [first = now] = recent;
    if (recent.length >= MAX_TESTS) return { waitMs: first + WINDOW_MS - now };
    this.#sentAt = [...recent, now];
    return sendNotice(channel, testNotice(now), this.#ports);
  }
}
