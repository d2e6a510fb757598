import type { Log } from '#main/platform/log.ts';
import { LruMap } from '#main/platform/lru-map.ts';
import type { History } from '#main/store/history/history.ts';
import type { Clock } from '#shared/clock.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';

/** UUIDs before and after every other one. */
const BEFORE_EVERY_ID = '00000000-0000-0000-0000-000000000000';
const AFTER_EVERY_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface QueueParts {
  history: Pick<History, 'loadPendingNotifications'>;
  clock: Clock;
  log: Log;
  /** Most notifications held in memory. */
  max: number;
  /** Sends notifications, each handed over once; oldest first. */
  deliver(notifications: readonly StoredNotification[]): void;
  /** Called with the greatest id of a page, before any of the page is handed over. */
  follow(id: string): void;
}

/** Most that is read at once: to parse them takes a few milliseconds. */
export const PENDING_PAGE = 500;
/** Notifications that are settled but may be read from the store as pending once more. */
const MAX_REMEMBERED = 20_000;
const REREAD_MS = 1_000;

/**
 * The pending notifications in memory; each is handed over once. Where memory is full, a notification
 * waits in the store until there is room, and so do all later ones: none overtakes another.
 *
 * The store is read by pages, in the order of ids. A new notification whose id is within the pages
 * that were read is taken at once; one with a later id is read in its turn.
 */
export class PendingQueue {
  readonly #parts: QueueParts;
  /** Ids, with those of their channels. */
  readonly #held = new Map<string, string>();
  readonly #handled = new LruMap<true>(MAX_REMEMBERED);
  /** Pending notifications up to this id are in memory or sent; later ones are only in the store. */
  #readTo: string = BEFORE_EVERY_ID;
  /** The least id that came while a page was read, which may lack it. */
  #leastCome: string = AFTER_EVERY_ID;
  #isReading = false;
  #isOpen = false;
  #timer: unknown;

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  /** Pending notifications in memory. */
  get size(): number {
    return this.#held.size;
  }

  /**
   * Hands over what is pending since before the last stop, and from then on what comes. Resolves once all
   * of it was read, or as much as fits. Rejects as the store.
   */
  async open(): Promise<void> {
    this.#isOpen = true;
    await this.#fill();
  }

  close(): void {
    this.#isOpen = false;
    this.#parts.clock.clearTimeout(this.#timer);
  }

  /** Takes notifications that are written already. */
  enqueue(notifications: readonly StoredNotification[]): void {
    if (!this.#isOpen) return;
    const passed = notifications.filter(({ id }) => id <= this.#readTo);
    for (const { id } of notifications) {
      if (id > this.#readTo && id < this.#leastCome) this.#leastCome = id;
    }
    const { fresh, count } = this.#hold(passed);
    if (count < passed.length) this.#readTo = BEFORE_EVERY_ID;
    this.#parts.deliver(fresh);
  }

  /** Releases notifications that are no longer pending. */
  release(notifications: readonly StoredNotification[]): void {
    for (const { id } of notifications) {
      this.#held.delete(id);
      this.#handled.set(id, true);
    }
    this.#readIfThereIsRoom();
  }

  /** Reads the notifications of a channel from the store again and hands them over anew. */
  abandon(channelId: string): void {
    for (const [id, channel] of this.#held) if (channel === channelId) this.#held.delete(id);
    this.#readTo = BEFORE_EVERY_ID;
    this.#readLater();
  }

  /** Holds what is new until there is no room; `count`: how many of all that makes. */
  #hold(notifications: readonly StoredNotification[]) {
    const fresh: StoredNotification[] = [];
    let count = 0;
    for (const notification of notifications) {
      const { id, channelId } = notification;
      const isNew = !this.#held.has(id) && !this.#handled.get(id);
      if (isNew && this.#held.size >= this.#parts.max) break;
      if (isNew) fresh.push(notification);
      if (isNew) this.#held.set(id, channelId);
      count += 1;
    }
    return { fresh, count };
  }

  async #readPage(): Promise<void> {
    const { history, max } = this.#parts;
    const after = this.#readTo;
    const limit = Math.min(PENDING_PAGE, max);
    this.#leastCome = AFTER_EVERY_ID;
    const page = await history.loadPendingNotifications({ after, limit });
    const last = page.at(-1);
    if (last) this.#parts.follow(last.id);
    // A page is dropped where the store is to be read from the start again.
    if (this.#isOpen && this.#readTo === after) this.#enqueuePage(page, page.length < limit);
  }

  /** `#readTo` is set before anything is handed over, as an actor that fails sets it back. */
  #enqueuePage(page: readonly StoredNotification[], isLast: boolean): void {
    const { fresh, count } = this.#hold(page);
    const isWhole = count === page.length && this.#leastCome === AFTER_EVERY_ID;
    const known = page.slice(0, count).findLast(({ id }) => id < this.#leastCome);
    if (isLast && isWhole) this.#readTo = AFTER_EVERY_ID;
    else if (known) this.#readTo = known.id;
    this.#parts.deliver(fresh);
  }

  #readIfThereIsRoom(): void {
    const isRoom = this.#held.size <= this.#parts.max / 2;
    if (this.#isReading || !isRoom || !this.#mayRead()) return;
    this.#fill().catch((error: unknown) => {
      this.#parts.log.error({ err: error }, 'What is owed to channels could not be read.');
      this.#readLater();
    });
  }

  /** Page by page, each in a turn of its own, until memory is full or nothing more is pending. */
  async #fill(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#mayRead() && this.#held.size < this.#parts.max) await this.#readPage();
    } finally {
      this.#isReading = false;
    }
  }

  /** Whether a page may be read: not in the wait after a read that failed. */
  #mayRead(): boolean {
    return this.#isOpen && this.#timer === undefined && this.#readTo !== AFTER_EVERY_ID;
  }

  #readLater(): void {
    const { clock } = this.#parts;
    clock.clearTimeout(this.#timer);
    if (!this.#isOpen) return;
    this.#timer = clock.setTimeout(() => {
      this.#timer = undefined;
      this.#readIfThereIsRoom();
    }, REREAD_MS);
  }
}
