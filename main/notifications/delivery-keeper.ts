import type { Log } from '#main/platform/log.ts';
import type { History } from '#main/store/history/history.ts';
import { LatestWriter } from '#main/store/history/latest-writer.ts';
import type { Clock } from '#shared/clock.ts';
import { type ChannelState, channelState } from '#shared/notifications/channel-state.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';

interface KeeperParts {
  history: Pick<History, 'write' | 'loadChannelStates'>;
  clock: Clock;
  log: Log;
}

/** Notifications of one channel that are kept together; named by the first of them. */
interface Batch {
  id: string;
  channelId: string;
  notifications: readonly StoredNotification[];
}

/**
 * Keeps what becomes of notifications, and with them what is known of their channel. A write that
 * fails is tried again; it then writes what is known by that time, never what was known before.
 */
export class DeliveryWriter {
  readonly #parts: KeeperParts;
  readonly #keeper: LatestWriter<Batch>;
  readonly #states = new Map<string, ChannelState>();

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#keeper = new LatestWriter({
      ...parts,
      write: ({ channelId, notifications }) =>
        parts.history.write({
          notifications: [...notifications],
          channelStates: [{ channelId, state: this.stateOf(channelId) }],
        }),
    });
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

  /** Null where nothing is known: the channel works, and no incident is open at it. */
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
    return (await this.#keeper.keep({ id: first.id, channelId, notifications })).kept;
  }

  /** The channel is gone. */
  forget(channelId: string): void {
    if (!this.#states.delete(channelId)) return;
    void this.#keeper.keep({ id: `channel ${channelId}`, channelId, notifications: [] });
  }

  /** Makes no further try, and resolves once the writes under way are over. */
  close(): Promise<void> {
    return this.#keeper.close();
  }
}

function isWorthKnowing({ health, incidents }: ChannelState): boolean {
  return health.failingSince !== null || health.dead !== null || incidents.length > 0;
}
