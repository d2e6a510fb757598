import type { Check } from '#shared/checks/check.ts';

/** The members of a request that say where it goes; each type of check has some of them. */
interface Place {
  url?: string;
  hostname?: string;
  port?: number | null | undefined;
  query?: string;
}

/** The URL or host that a check asks, its templates as they are; null of a check that asks nothing. */
export function askedBy(check: Check): string | null {
  const { url, hostname, port, query }: Place = 'request' in check ? check.request : {};
  if (url !== undefined) return shownUrl(url);
  if (hostname !== undefined) return port == null ? hostname : `${hostname}:${port}`;
  return query ?? null;
}

/** Without what may be a key of somebody: user, password and what comes after the path. */
export function shownUrl(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/s, '');
}
