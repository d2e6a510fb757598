import type { StoredNotification } from '#shared/channel/notification.ts';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '../log.ts';
import { Recent } from '../sessions/recent.ts';
import type { History } from '../store/history.ts';

interface BacklogParts {
  history: Pick<History, 'loadOwedNotifications'>;
  clock: Clock;
  log: Log;
  /** Most notifications held in memory. */
  max: number;
  /** Has notifications sent, each handed over once; oldest first. */
  deliver(notifications: readonly StoredNotification[]): void;
}

/** Notifications that are settled but may be read from the store as owed once more. */
const MAX_REMEMBERED = 20_000;
const REREAD_MS = 1_000;

/**
 * Which notifications are held in memory, so that each is handed over once. What does not fit waits
 * in the store, and so does all that comes after it, until there is room: none overtakes another.
 */
export class OwedBacklog {
  readonly #parts: BacklogParts;
  /** Ids, with those of their channels. */
  readonly #held = new Map<string, string>();
  readonly #handled = new Recent<true>(MAX_REMEMBERED);
  /** Whether something is owed that is only in the store. */
  #hasMore = false;
  #isReading = false;
  #isOpen = false;
  #timer: unknown;

  constructor(parts: BacklogParts) {
    this.#parts = parts;
  }

  /** Hands over what is owed since before the last stop, and from then on what comes. */
  async open(): Promise<void> {
    this.#isOpen = true;
    await this.#read();
    this.#readIfThereIsRoom();
  }

  close(): void {
    this.#isOpen = false;
    this.#parts.clock.clearTimeout(this.#timer);
  }

  /** Takes notifications that are kept already. */
  take(notifications: readonly StoredNotification[]): void {
    // What comes while the store is read may not be in its answer: it is read again.
    if (this.#isReading) this.#hasMore = true;
    else if (this.#isOpen && !this.#hasMore) this.#handOver(notifications);
  }

  /** Nothing more is done about these. */
  release(notifications: readonly StoredNotification[]): void {
    for (const { id } of notifications) {
      this.#held.delete(id);
      this.#handled.set(id, true);
    }
    this.#readIfThereIsRoom();
  }

  /** What is held of a channel is to be read and handed over again. */
  abandon(channelId: string): void {
    for (const [id, channel] of this.#held) if (channel === channelId) this.#held.delete(id);
    this.#readLater();
  }

  #handOver(notifications: readonly StoredNotification[]): void {
    const fresh = notifications.filter(({ id }) => !this.#held.has(id) && !this.#handled.get(id));
    const held = fresh.slice(0, Math.max(0, this.#parts.max - this.#held.size));
    for (const { id, channelId } of held) this.#held.set(id, channelId);
    if (held.length < fresh.length) this.#hasMore = true;
    this.#parts.deliver(held);
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    this.#hasMore = false;
    try {
      const owed = await this.#parts.history.loadOwedNotifications();
      if (this.#isOpen) this.#handOver(owed);
    } finally {
      this.#isReading = false;
    }
  }

  #readIfThereIsRoom(): void {
    const isRoom = this.#held.size <= this.#parts.max / 2;
    if (!this.#isOpen || this.#isReading || !this.#hasMore || !isRoom) return;
    this.#read().then(
      () => this.#readIfThereIsRoom(),
      (error: unknown) => {
        this.#parts.log.error({ err: error }, 'What is owed to channels could not be read.');
        this.#readLater();
      },
    );
  }

  #readLater(): void {
    const { clock } = this.#parts;
    this.#hasMore = true;
    clock.clearTimeout(this.#timer);
    if (this.#isOpen) {
      this.#timer = clock.setTimeout(() => this.#readIfThereIsRoom(), REREAD_MS);
    }
  }
}
