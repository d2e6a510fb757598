import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import type { StoredMailing } from '#shared/status-pages/mailing.ts';
import type { StoredSubscription } from '#shared/status-pages/subscription.ts';
import type { Recipient } from './mail-port.ts';

interface RecipientParts {
  history: Pick<History, 'listSubscribers' | 'findSubscription'>;
  configuration: Pick<Configuration, 'statusPages'>;
}

/** Subscribers that are read together. */
const PAGE_SIZE = 100;

/** Who a mailing goes to, in the order of addresses; an address on several pages once. */
export class Recipients {
  readonly #parts: RecipientParts;
  /** The page of subscribers that was read last. */
  #page: { mailingId: string; subscribers: readonly StoredSubscription[] } | null = null;

  constructor(parts: RecipientParts) {
    this.#parts = parts;
  }

  /** The first after the last address that was tried; null where there is none. Rejects as the store. */
  async next(mailing: StoredMailing): Promise<Recipient | null> {
    const { content, after } = mailing;
    if (content.kind === 'confirmation') {
      return after === null ? this.find(mailing, content.subscriptionId) : null;
    }
    let last = after;
    for (;;) {
      const subscriber = await this.#subscriberAfter(mailing, last);
      if (subscriber === null) return null;
      const recipient = await this.find(mailing, subscriber.id);
      if (recipient !== null) return recipient;
      last = subscriber.address;
    }
  }

  /** Who has a subscription now; null where it ended, or is none for this mailing. Rejects as the store. */
  async find(mailing: StoredMailing, subscriptionId: string): Promise<Recipient | null> {
    const { history, configuration } = this.#parts;
    const subscription = await history.findSubscription(subscriptionId);
    const page = subscription && configuration.statusPages.get(subscription.pageId);
    const wanted = mailing.content.kind === 'confirmation' ? 'PENDING' : 'VERIFIED';
    if (!page || subscription.status !== wanted) return null;
    return { mailingId: mailing.id, page, subscription };
  }

  async #subscriberAfter(
    { id: mailingId, pageIds }: StoredMailing,
    after: string | null,
  ): Promise<StoredSubscription | null> {
    const isAfter = ({ address }: StoredSubscription) => after === null || address > after;
    const known = this.#page?.mailingId === mailingId && this.#page.subscribers.find(isAfter);
    if (known) return known;
    const query = { pageIds, after, limit: PAGE_SIZE };
    const subscribers = await this.#parts.history.listSubscribers(query);
    this.#page = { mailingId, subscribers };
    return subscribers[0] ?? null;
  }
}
