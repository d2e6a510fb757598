import type { StatusPage } from '#shared/status-pages/status-page.ts';

/** A document of a status page. */
export type PageDocument =
  | { kind: 'page' | 'json' | 'rss' | 'atom' | 'slack' }
  /** `2026-01`, and which of its documents, from 1. */
  | { kind: 'month'; month: string; part: number }
  | { kind: 'incident' | 'maintenance'; id: string };

/** How documents refer to each other, below the page's address or as files of an export. */
export interface DocumentLinks {
  /** The page's own folder, relative to the document, with a slash at its end. */
  root: string;
  /** What addresses of documents end in. */
  ending: '' | '.html';
}

/** A document that is ready to be sent. */
export interface PublishedDocument {
  bytes: Buffer;
  gzip: Buffer;
  /** Content type. */
  type: string;
  etag: string;
  /** When it was made, epoch ms. */
  madeAt: number;
}

/** What readers of status pages get, as those see it who decide who may read them. */
export interface StatusPagesPort {
  /**
   * A document as it is now; as it was, where the store does not answer. Null where the page has no such
   * document.
   */
  read(
    page: StatusPage,
    document: PageDocument,
    links: DocumentLinks,
  ): Promise<PublishedDocument | null>;
}
