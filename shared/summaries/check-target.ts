import type { Check } from '#shared/checks/check.ts';

const MAX_TARGET = 200;

/** What a check asks, in one line: a URL, `host:port`, a name; null where a script or a job decides. */
export function targetOf(check: Check): string | null {
  if (!('request' in check)) return null;
  const { request } = check;
  const target =
    'url' in request
      ? request.url
      : 'query' in request
        ? request.query
        : 'port' in request
          ? `${request.hostname}:${request.port}`
          : request.hostname;
  return target.slice(0, MAX_TARGET);
}
