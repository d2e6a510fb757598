import { randomBytes } from 'node:crypto';
import type { MailingPort } from '#main/incidents/mailing-port.ts';
import { IdSequence } from '#main/platform/id-sequence.ts';
import type { History } from '#main/store/history/history.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import {
  confirmationMailing,
  MAX_SUBSCRIPTIONS,
  type StoredSubscription,
  type SubscriptionsBody,
} from '#shared/status-pages/subscription.ts';
import { isToken } from './keys.ts';
import type { ServiceParts } from './resource.ts';
import { conflict, notFound } from './service-error.ts';
import { type StatusPages, subscriptionsKey } from './status-pages.ts';

const TOKEN_BYTES = 32;
/** Subscriptions that are read at once: parsing more would hold up the main thread. */
const READ_TOGETHER = 1_000;
/** An address is asked again for its confirmation after this time, however often somebody names it. */
export const CONFIRMATION_REST_MS = 10 * 60_000;

interface SubscriptionParts extends ServiceParts {
  history: Pick<History, 'write' | 'listSubscriptions' | 'findSubscription' | 'findSubscriptions'>;
  mailings: MailingPort;
  pages: Pick<StatusPages, 'find'>;
}

/** The addresses that get the mailings of status pages. */
export class PageSubscriptions {
  readonly #parts: SubscriptionParts;
  readonly #ids = new IdSequence();

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
  }

  /** In the order of their addresses. @throws ServiceError NOT_FOUND for the page */
  async list(pageId: string): Promise<StoredSubscription[]> {
    this.#parts.pages.find(pageId);
    const all: StoredSubscription[] = [];
    let part: StoredSubscription[];
    do {
      const after = all.at(-1)?.address ?? null;
      const query = { pageId, after, limit: READ_TOGETHER };
      part = await this.#parts.history.listSubscriptions(query);
      all.push(...part);
    } while (part.length === READ_TOGETHER);
    return all;
  }

  /**
   * Subscribes addresses that the page does not have, each once.
   *
   * @throws ServiceError NOT_FOUND for the page, CONFLICT where it would have too many
   */
  createMany(
    pageId: string,
    { subscriptions, autoVerify }: SubscriptionsBody,
  ): Promise<{ created: number; skipped: number; status: StoredSubscription['status'] }> {
    const status = autoVerify ? 'VERIFIED' : 'PENDING';
    return this.#ofPage(pageId, async () => {
      const addresses = [...new Set(subscriptions.map(({ config }) => config))];
      const { found, total } = await this.#parts.history.findSubscriptions({ pageId, addresses });
      const known = new Set(found.map(({ address }) => address));
      const wanted = addresses.filter((address) => !known.has(address));
      refuseTooMany(total, wanted.length);
      await this.#write(wanted.map((address) => this.#new(pageId, address, status)));
      const created = wanted.length;
      return { created, skipped: subscriptions.length - created, status };
    });
  }

  /** @throws ServiceError NOT_FOUND for the page, or where it has no such subscription */
  async delete(pageId: string, id: string): Promise<void> {
    await this.#ofPage(pageId, async () => {
      const subscription = await this.#parts.history.findSubscription(id);
      if (subscription?.pageId !== pageId) throw noSuchSubscription();
      await this.#parts.history.write({ endedSubscriptions: [id] });
    });
  }

  /**
   * Somebody asks for the mailings of a page: the address is asked for a confirmation, unless it was just
   * now or is subscribed already. Nothing says whether it was known.
   *
   * @param address in lower case
   * @throws ServiceError NOT_FOUND for the page, CONFLICT where it has as many as it may have
   */
  subscribe(pageId: string, address: string): Promise<void> {
    return this.#ofPage(pageId, async () => {
      const query = { pageId, addresses: [address] };
      const { found, total } = await this.#parts.history.findSubscriptions(query);
      refuseTooMany(total, 1);
      const [known] = found;
      if (known === undefined) return this.#write([this.#new(pageId, address, 'PENDING')]);
      const now = this.#parts.clock.now();
      const isAsked = Math.abs(now - known.updatedAt) < CONFIRMATION_REST_MS;
      if (known.status === 'PENDING' && !isAsked) await this.#write([{ ...known, updatedAt: now }]);
    });
  }

  /** The page of the subscription that a link of a mail is for; null where there is none. */
  async pageOf(id: string, token: string): Promise<StatusPage | null> {
    const subscription = await this.#find(id, token);
    return subscription && (this.#parts.configuration.statusPages.get(subscription.pageId) ?? null);
  }

  /** The owner of the address wants the mailings; again is as once. @throws ServiceError NOT_FOUND */
  async confirm(id: string, token: string): Promise<StoredSubscription> {
    const { pageId } = await this.#found(id, token);
    return this.#ofPage(pageId, async () => {
      const before = await this.#found(id, token);
      if (before.status === 'VERIFIED') return before;
      const updatedAt = this.#parts.clock.now();
      const subscription = { ...before, status: 'VERIFIED' as const, updatedAt };
      await this.#parts.history.write({ subscriptions: [subscription] });
      return subscription;
    });
  }

  /** No mailing goes to the address any more. @throws ServiceError NOT_FOUND, also where it ended before */
  async end(id: string, token: string): Promise<StoredSubscription> {
    const { pageId } = await this.#found(id, token);
    // In turn with a confirmation, which would write it anew.
    return this.#ofPage(pageId, async () => {
      const subscription = await this.#found(id, token);
      await this.#parts.history.write({ endedSubscriptions: [id] });
      return subscription;
    });
  }

  async #find(id: string, token: string): Promise<StoredSubscription | null> {
    const subscription = await this.#parts.history.findSubscription(id);
    // Compared in any case, so that the time says nothing of the id.
    return isToken(subscription?.token ?? '', token) ? subscription : null;
  }

  async #found(id: string, token: string): Promise<StoredSubscription> {
    const subscription = await this.#find(id, token);
    if (subscription === null) throw noSuchSubscription();
    return subscription;
  }

  /** Runs a change of the subscriptions of a page, which is there. @throws ServiceError NOT_FOUND */
  #ofPage<T>(pageId: string, change: () => Promise<T>): Promise<T> {
    const { mutex, pages } = this.#parts;
    return mutex(subscriptionsKey(pageId), () => {
      pages.find(pageId);
      return change();
    });
  }

  #new(pageId: string, address: string, status: StoredSubscription['status']): StoredSubscription {
    const { id, at } = this.#ids.next(this.#parts.clock.now());
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    return { id, pageId, address, status, token, createdAt: at, updatedAt: at };
  }

  /** Writes subscriptions, and for each that is pending the mail that asks for a confirmation. */
  async #write(subscriptions: StoredSubscription[]): Promise<void> {
    if (subscriptions.length === 0) return;
    const { history, mailings, clock } = this.#parts;
    const asked = subscriptions
      .filter(({ status }) => status === 'PENDING')
      .map((subscription) => confirmationMailing(subscription, this.#ids.next(clock.now())));
    await history.write({ subscriptions, mailings: asked });
    if (asked.length > 0) mailings.enqueue(asked);
  }
}

function refuseTooMany(total: number, wanted: number): void {
  if (total + wanted <= MAX_SUBSCRIPTIONS) return;
  throw conflict(`The page has ${total} of at most ${MAX_SUBSCRIPTIONS} subscriptions`);
}

function noSuchSubscription(): Error {
  return notFound('There is no such subscription');
}
