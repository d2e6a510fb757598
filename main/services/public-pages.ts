import { isPassword } from '#main/platform/password-hash.ts';
import { RateLimiter } from '#main/platform/rate-limiter.ts';
import type {
  DocumentLinks,
  PageDocument,
  PublishedDocument,
  StatusPagesPort,
} from '#main/status-pages/status-pages-port.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { PageSessions } from './page-sessions.ts';
import type { ServiceParts } from './resource.ts';
import { notFound, tooMany } from './service-error.ts';

interface PublicPagesParts extends ServiceParts {
  publishedPages: StatusPagesPort;
  /** Signs the sessions of private pages. */
  pageSessionKey: Buffer;
}

/** Passwords that one address may try within a minute, and all addresses together of one page. */
const TRIES_OF_SENDER = 10;
const TRIES_OF_PAGE = 60;

/** Status pages as their readers see them, without a key. */
export class PublicPages {
  readonly #parts: PublicPagesParts;
  readonly #sessions: PageSessions;
  readonly #triesOfSender = new RateLimiter(TRIES_OF_SENDER);
  readonly #triesOfPage = new RateLimiter(TRIES_OF_PAGE);

  constructor(parts: PublicPagesParts) {
    this.#parts = parts;
    this.#sessions = new PageSessions(parts.pageSessionKey);
  }

  /** Those that everybody may know of. */
  listed(): StatusPage[] {
    return this.#all().filter(({ visibility }) => visibility === 'PUBLIC');
  }

  /** The page of a slug, whoever may read it. @throws ServiceError NOT_FOUND */
  find(slug: string): StatusPage {
    const page = this.#all().find(({ url }) => url === slug.toLowerCase());
    if (page === undefined) throw notFound('There is no such status page');
    return page;
  }

  /** The path of the page whose own domain a host name is, in lower case. */
  readonly pathOfDomain = (host: string): string | undefined => {
    const page = this.#all().find(({ customDomain }) => customDomain === host);
    return page && `/status/${page.url}`;
  };

  /** Decides for all documents of a page whether a reader may see them. */
  mayRead(page: StatusPage, session: string | undefined): boolean {
    if (page.visibility !== 'PRIVATE') return true;
    return this.#sessions.isOpen(page, session, this.#parts.clock.now());
  }

  /**
   * A document of a page, for a reader who may see it.
   *
   * @throws ServiceError NOT_FOUND where the page has no such document
   */
  async read(
    page: StatusPage,
    document: PageDocument,
    links: DocumentLinks,
  ): Promise<PublishedDocument> {
    const published = await this.#parts.publishedPages.read(page, document, links);
    if (published === null) throw notFound('There is nothing at this address');
    return published;
  }

  /**
   * The session that a password opens; null where it is another.
   *
   * @param sender the address that the request came from
   * @throws ServiceError TOO_MANY
   */
  async logIn(page: StatusPage, password: string, sender: string): Promise<string | null> {
    const now = this.#parts.clock.now();
    const waitMs = this.#triesOfSender.take(sender, now) || this.#triesOfPage.take(page.id, now);
    if (waitMs > 0) throw tooMany('Too many passwords were tried', waitMs);
    const { passwordHash } = page;
    const isRight = passwordHash !== null && (await isPassword(password, passwordHash));
    return isRight ? this.#sessions.begin(page, now) : null;
  }

  #all(): readonly StatusPage[] {
    return this.#parts.configuration.statusPages.all();
  }
}
