import { RateLimiter } from '#main/platform/rate-limiter.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { subscriberAddress } from '#shared/status-pages/subscription.ts';
import type { PageSubscriptions } from './page-subscriptions.ts';
import type { ServiceParts } from './resource.ts';
import { notFound, ServiceError, tooMany } from './service-error.ts';

interface SubscriberParts extends Pick<ServiceParts, 'configuration' | 'clock'> {
  subscriptions: Pick<PageSubscriptions, 'subscribe' | 'find' | 'confirm' | 'end'>;
  sendPorts: { smtp: object | null };
}

const HOUR_MS = 3_600_000;
const NO_PAGE = 'There is no such page';

/** What a link in a mail leads to. */
export interface SubscriptionLink {
  /** Of the page. */
  slug: string;
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

  /** A page by its address. @throws ServiceError NOT_FOUND */
  page(slug: string): StatusPage {
    const { statusPages } = this.#parts.configuration;
    const page = statusPages.all().find(({ url }) => url === slug.toLowerCase());
    if (page === undefined) throw notFound(NO_PAGE);
    return page;
  }

  /** One that everybody may read who knows its address. @throws ServiceError NOT_FOUND for any other */
  readablePage(slug: string): StatusPage {
    const page = this.page(slug);
    if (page.visibility === 'PRIVATE') throw notFound(NO_PAGE);
    return page;
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

  /** The page of a link's subscription. @throws ServiceError NOT_FOUND where it is not valid any more */
  find(link: SubscriptionLink): Promise<StatusPage> {
    return this.#follow(link, 'find');
  }

  /** From now on mailings go to the address. @throws ServiceError as {@link find} */
  confirm(link: SubscriptionLink): Promise<StatusPage> {
    return this.#follow(link, 'confirm');
  }

  /** Nothing more goes to the address. @throws ServiceError as {@link find} */
  end(link: SubscriptionLink): Promise<StatusPage> {
    return this.#follow(link, 'end');
  }

  async #follow(
    { slug, subscriptionId, token }: SubscriptionLink,
    act: 'find' | 'confirm' | 'end',
  ): Promise<StatusPage> {
    const { subscriptions } = this.#parts;
    const page = this.page(slug);
    const { pageId } = await subscriptions.find(subscriptionId, token);
    if (pageId !== page.id) throw notFound('There is no such subscription');
    if (act !== 'find') await subscriptions[act](subscriptionId, token);
    return page;
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
