import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Log } from '#main/platform/log.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { DocumentMaker, type MadeDocument, type MakerParts } from './make-document.ts';
import type {
  DocumentLinks,
  PageDocument,
  PublishedDocument,
  StatusPagesPort,
} from './status-pages-port.ts';

export interface PublishedPagesParts extends MakerParts {
  configuration: Pick<Configuration, 'pageServices' | 'maintenanceWindows' | 'statusPages'>;
  history: Pick<History, 'listIncidentHeads' | 'findIncident' | 'watchIncidents'>;
  log: Pick<Log, 'warn'>;
  /** Most bytes of documents that are held, plain and compressed together; 32 MiB by default. */
  maxHeldBytes?: number;
}

const MAX_HELD_BYTES = 32 * 1024 ** 2;

/** How long a reader waits for a new document while there is an old one. */
const PATIENCE_MS = 1_000;
/** How long an old document stands for a new one that could not be made. */
const RETRY_MS = 5_000;

interface Held {
  published: PublishedDocument;
  validUntil: number;
  /** Of the changes that it knows. */
  version: number;
}

/** A document that is asked for. */
interface Asked {
  key: string;
  pageId: string;
  document: PageDocument;
  links: DocumentLinks;
}

type Making = Promise<PublishedDocument | null>;

interface Job {
  making: Making;
  /** Of the changes that it knows. */
  version: number;
  /** The one after it, for readers who came after a further change. */
  next: Making | null;
}

/**
 * Documents of status pages, made when they are asked for and held until something changes. A thousand readers at
 * once have one made; while the store does not answer, they get the one before.
 */
export class PublishedPages implements StatusPagesPort {
  readonly #parts: PublishedPagesParts;
  readonly #maker: DocumentMaker;
  readonly #held: HeldDocuments;
  readonly #jobs = new Map<string, Job>();
  readonly #stops: (() => void)[];
  #version = 0;

  constructor(parts: PublishedPagesParts) {
    this.#parts = parts;
    this.#maker = new DocumentMaker(parts);
    this.#held = new HeldDocuments(parts.maxHeldBytes ?? MAX_HELD_BYTES);
    const { configuration, history } = parts;
    const { statusPages, pageServices, maintenanceWindows } = configuration;
    this.#stops = [
      ...[statusPages, pageServices, maintenanceWindows].map((collection) =>
        collection.subscribe(() => this.#changed()),
      ),
      history.watchIncidents(() => {
        this.#maker.source.forget();
        this.#changed();
      }),
    ];
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  async read(page: StatusPage, document: PageDocument, links: DocumentLinks): Making {
    const key = JSON.stringify([page.id, document, links]);
    const held = this.#held.get(key);
    if (held !== undefined && this.#isValid(held)) return held.published;
    const making = this.#making({ key, pageId: page.id, document, links });
    return held === undefined ? making : this.#withinPatience(making, held.published);
  }

  #isValid({ version, validUntil, published }: Held): boolean {
    const now = this.#parts.clock.now();
    // A clock that was set back makes no document of the future valid.
    return version === this.#version && now < validUntil && now >= published.madeAt;
  }

  /** One that knows of every change so far: the one under way, or the one that follows it. */
  #making(asked: Asked): Making {
    const job = this.#jobs.get(asked.key);
    if (job === undefined) return this.#start(asked);
    if (job.version === this.#version) return job.making;
    const start = () => this.#start(asked);
    job.next ??= job.making.then(start, start);
    return job.next;
  }

  #start(asked: Asked): Making {
    const { key } = asked;
    // What changes from here on may be missing in it.
    const version = this.#version;
    const making = this.#make(asked, version).finally(() => {
      if (this.#jobs.get(key)?.making === making) this.#jobs.delete(key);
    });
    this.#jobs.set(key, { making, version, next: null });
    return making;
  }

  async #make({ key, pageId, document, links }: Asked, version: number): Making {
    const page = this.#parts.configuration.statusPages.get(pageId);
    if (page === undefined) return null;
    try {
      const made = await this.#maker.make(page, document, links);
      if (made === null) return null;
      const published = await publish(made);
      this.#held.set(key, { published, validUntil: made.validUntil, version });
      return published;
    } catch (error) {
      this.#keepOld(key, error);
      throw error;
    }
  }

  /** While documents cannot be made, the old one counts, and not every reader tries again. */
  #keepOld(key: string, error: unknown): void {
    const old = this.#held.get(key);
    if (old === undefined) return;
    const { clock, log } = this.#parts;
    log.warn({ err: error }, 'A status page could not be made anew; readers get the one before.');
    const validUntil = clock.now() + RETRY_MS;
    this.#held.set(key, { ...old, validUntil, version: this.#version });
  }

  /** The new document, or the old one where the new one fails or takes long. */
  async #withinPatience(making: Making, old: PublishedDocument): Making {
    const { clock } = this.#parts;
    const { promise: patience, resolve } = Promise.withResolvers<PublishedDocument>();
    const timer = clock.setTimeout(() => resolve(old), PATIENCE_MS);
    try {
      return await Promise.race([making.catch(() => old), patience]);
    } finally {
      clock.clearTimeout(timer);
    }
  }

  #changed(): void {
    this.#version += 1;
  }
}

const compress = promisify(gzip);

/** A document as it is sent, compressed once. */
export async function publish({ text, type, madeAt }: MadeDocument): Promise<PublishedDocument> {
  const bytes = Buffer.from(text);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { bytes, gzip: await compress(bytes), type, etag: `W/"${hash}"`, madeAt };
}

/** Documents within a number of bytes: those go first that nobody has asked for the longest. */
class HeldDocuments {
  readonly #maxBytes: number;
  readonly #documents = new Map<string, Held>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Held | undefined {
    const held = this.#documents.get(key);
    if (held === undefined) return undefined;
    this.#documents.delete(key);
    this.#documents.set(key, held);
    return held;
  }

  set(key: string, held: Held): void {
    this.#delete(key);
    this.#documents.set(key, held);
    this.#bytes += sizeOf(key, held);
    for (const oldest of this.#documents.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    const held = this.#documents.get(key);
    if (held === undefined) return;
    this.#documents.delete(key);
    this.#bytes -= sizeOf(key, held);
  }
}

function sizeOf(key: string, { published: { bytes, gzip } }: Held): number {
  return key.length * 2 + bytes.length + gzip.length;
}
