import type { StatusPage } from '#shared/status-pages/status-page.ts';

/** Where documents of status pages are. */
const PAGE_PATH = /^\/status\/([^/]+)(\/.*)?$/i;

/**
 * The page's own folder, relative to one of its documents, with a slash at its end: `/status/acme` is beside
 * it, `/status/acme/` in it, `/status/acme/incidents/1` one below.
 *
 * However the slug was written, the folder is the same: a document is made and held once for all of its spellings.
 *
 * @param path of the document, as it was written
 */
export function rootOf(path: string, { url }: Pick<StatusPage, 'url'>): string {
  const [, , rest] = PAGE_PATH.exec(path) ?? [];
  if (rest === undefined) return `${url}/`;
  return '../'.repeat(rest.split('/').length - 2) || './';
}

/** Whether a path is one of a document that is held for all readers, whose requests are not counted. */
export function isHeldPath(path: string): boolean {
  const [, slug, rest = '/'] = PAGE_PATH.exec(path) ?? [];
  return slug !== undefined && /^\/(?:[\w-]+\.\w+|assets\/[^/]+)?$/i.test(rest);
}
