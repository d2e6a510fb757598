import { RateLimiter } from '#main/platform/rate-limiter.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { subscriberAddress } from '#shared/status-pages/subscription.ts';
import type { PageSubscriptions } from './page-subscriptions.ts';
import type { ServiceParts } from './resource.ts';
import { ServiceError, tooMany } from './service-error.ts';

interface SubscriberParts extends Pick<ServiceParts, 'clock'> {
  subscriptions: Pick<PageSubscriptions, 'subscribe' | 'pageOf' | 'confirm' | 'end'>;
  sendPorts: { smtp: object | null };
}

const HOUR_MS = 3_600_000;

/** What a link in a mail leads to. */
export interface SubscriptionLink {
  subscriptionId: string;
  token: string;
}

/** What readers of status pages do about mails themselves, without a key. */
export class PageSubscribers {
  readonly #parts: SubscriberParts;
  readonly #limits = [
    { limiter: new RateLimiter(5), of: (sender: string) => sender },
    { limiter: new RateLimiter(30, HOUR_MS), of: (sender: string) => sender },
    { limiter: new RateLimiter(1_000, 24 * HOUR_MS), of: (_: string, pageId: string) => pageId },
  ];

  constructor(parts: SubscriberParts) {
    this.#parts = parts;
  }

  /**
   * Mails an address a link that confirms the subscription. Whoever asks learns nothing of who has one.
   *
   * @param sender the address that the request came from
   * @throws ServiceError INVALID for what is no address, TOO_MANY, CONFLICT for a page with too many
   *   subscribers, UNAVAILABLE without a mail server
   */
  async subscribe({ id }: StatusPage, text: string, sender: string): Promise<void> {
    const { sendPorts, subscriptions } = this.#parts;
    if (sendPorts.smtp === null) {
      throw new ServiceError('UNAVAILABLE', 'This page cannot send mails yet');
    }
    const address = addressIn(text);
    this.#refuseTooMany(id, sender);
    await subscriptions.subscribe(id, address);
  }

  /** The page that a link is for, whatever its address is by now; null where the link is not valid any more. */
  pageOf({ subscriptionId, token }: SubscriptionLink): Promise<StatusPage | null> {
    return this.#parts.subscriptions.pageOf(subscriptionId, token);
  }

  /** From now on mailings go to the address. @throws ServiceError NOT_FOUND where the link is not valid any more */
  async confirm({ subscriptionId, token }: SubscriptionLink): Promise<void> {
    await this.#parts.subscriptions.confirm(subscriptionId, token);
  }

  /** Nothing more goes to the address. @throws ServiceError as {@link confirm} */
  async end({ subscriptionId, token }: SubscriptionLink): Promise<void> {
    await this.#parts.subscriptions.end(subscriptionId, token);
  }

  #refuseTooMany(pageId: string, sender: string): void {
    const now = this.#parts.clock.now();
    for (const { limiter, of } of this.#limits) {
      const waitMs = limiter.take(of(sender, pageId), now);
      if (waitMs > 0) throw tooMany('Too many subscriptions were asked for', waitMs);
    }
  }
}

function addressIn(text: string): string {
  const read = subscriberAddress.safeParse(text.trim());
  if (read.success) return read.data;
  const problems = [{ path: 'address', message: 'expected one e-mail address' }];
  const parts = [{ source: 'payload' as const, problems }];
  throw new ServiceError('INVALID', 'This is not an e-mail address', { parts });
}
