import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../api-error.ts';
import { isArtifactLink } from '../artifact-link.ts';
import type { ApiOptions } from '../options.ts';
import { pingTokenOf } from '../ping-path.ts';
import { isHeldPath } from '../status-page/page-path.ts';

/** The path, without a slash at its end, that `/` of a domain of somebody's own stands for. */
export type PathOfDomain = (host: string) => string | undefined;

/**
 * Refuses requests that a foreign web page may have sent. A page that rebinds its own
 * name to our address still sends that name as `Host`; one that posts across sites sends `Origin`,
 * whose address must therefore be the one asked for, or this machine itself.
 * The ping URL takes any `Origin`, which is the sender's name there; so do the documents of status pages, and links to
 * artifacts: reports have an origin of their own, which is none.
 *
 * A request to the domain of a status page is one for a document below that page, whatever its path: nothing else
 * answers there. No page takes a name of the appliance's own away.
 */
export function hostGuard(options: ApiOptions, pathOfDomain: PathOfDomain): RequestHandler {
  const names = namesOf(options);
  const isOurs = (name: string | undefined) => name !== undefined && names.has(name);
  return (request, _response, next) => {
    const host = hostnameOf(`http://${request.headers.host ?? ''}`);
    const path = host === undefined || isOurs(host) ? undefined : pathOfDomain(host);
    const isPage = path !== undefined;
    if (!isOurs(host) && !isAddress(host) && !isPage) {
      throw new ApiError(
        403,
        'The Host of this request is not allowed: add it to the allowed hosts',
      );
    }
    if (isPage) request.url = path + request.url;
    const { origin } = request.headers;
    if (origin !== undefined && !isForEveryOrigin(request)) {
      const sender = hostnameOf(origin);
      const isSame = sender === host && (isAddress(sender) || isPage);
      if (!isOurs(sender) && !isLoopback(sender) && !isSame) {
        throw new ApiError(403, 'Requests from pages of this Origin are not allowed');
      }
    }
    next();
  };
}

/**
 * Pings, documents of status pages, and artifacts by their links: a page elsewhere may show them, and reading changes
 * nothing.
 */
function isForEveryOrigin({ method, path }: Request): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  const isPublic = isHeldPath(path) || isArtifactLink(path);
  return pingTokenOf(path) !== undefined || (isRead && isPublic);
}

function namesOf({ allowedHosts, host, publicUrl }: ApiOptions): Set<string> {
  return new Set(
    [
      'localhost',
      host,
      ...allowedHosts,
      publicUrl === null ? undefined : new URL(publicUrl).hostname,
    ]
      .filter((name) => name !== undefined)
      .map((name) => name.toLowerCase()),
  );
}

function isAddress(name: string | undefined): boolean {
  return name !== undefined && isIP(name) !== 0;
}

function isLoopback(name: string | undefined): boolean {
  return name !== undefined && (name === '::1' || (isIP(name) === 4 && name.startsWith('127.')));
}

/** The host of an http or https URL without its port and brackets, in lower case. */
function hostnameOf(url: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\\]+$/i.test(url.replace(/\/$/, '')) || !URL.canParse(url))
    return undefined;
  return new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
