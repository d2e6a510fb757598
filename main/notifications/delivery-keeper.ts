import type { Log } from '#main/platform/log.ts';
import type { History } from '#main/store/history/history.ts';
import { type Kept, RetryingWriter } from '#main/store/history/retrying-writer.ts';
import type { Clock } from '#shared/clock.ts';
import { type ChannelState, channelState } from '#shared/notifications/channel-state.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';

interface KeeperParts {
  history: Pick<History, 'write' | 'loadChannelStates'>;
  clock: Clock;
  log: Log;
}

/**
 * Writes the outcome of notifications together with the state of their channel. A write that fails is
 * tried again, with the state of that later time.
 */
export class DeliveryWriter {
  readonly #parts: KeeperParts;
  readonly #writer: RetryingWriter;
  readonly #states = new Map<string, ChannelState>();

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#writer = new RetryingWriter(parts);
  }

  /** Reads what is known of channels since before the last stop. Rejects as the store. */
  async open(): Promise<void> {
    const { history, log } = this.#parts;
    for (const [channelId, state] of await history.loadChannelStates()) {
      const read = channelState.safeParse(state);
      if (read.success) this.#states.set(channelId, read.data);
      // It comes from a file: one that no version of ours wrote says nothing.
      else log.error({ err: read.error, channelId }, 'What is known of a channel cannot be read.');
    }
  }

  /** Null where nothing is known: the channel works. */
  stateOf(channelId: string): ChannelState | null {
    return this.#states.get(channelId) ?? null;
  }

  /** Resolves, after the first try, with whether all is kept. Never rejects. */
  async keep(
    channelId: string,
    notifications: readonly StoredNotification[],
    state: ChannelState | null,
  ): Promise<boolean> {
    if (state !== null && isWorthKnowing(state)) this.#states.set(channelId, state);
    else this.#states.delete(channelId);
    const [first] = notifications;
    if (!first) return true;
    return (await this.#write(first.id, channelId, notifications)).kept;
  }

  /** The channel is gone. */
  forget(channelId: string): void {
    if (!this.#states.delete(channelId)) return;
    void this.#write(`channel ${channelId}`, channelId, []);
  }

  /** Makes no further try, and resolves once the writes under way are over. */
  close(): Promise<void> {
    return this.#writer.close();
  }

  /** @param key names what is written together */
  #write(key: string, channelId: string, kept: readonly StoredNotification[]): Promise<Kept> {
    const notifications = [...kept];
    const write = () =>
      this.#parts.history.write({
        notifications,
        channelStates: [{ channelId, state: this.stateOf(channelId) }],
      });
    return this.#writer.write({ key, write, content: notifications }).tried;
  }
}

function isWorthKnowing({ health }: ChannelState): boolean {
  return health.failingSince !== null || health.dead !== null;
}
