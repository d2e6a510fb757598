import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { ApiError } from '../api-error.ts';
import type { ApiOptions } from '../options.ts';
import { PING_PATH } from '../ping/tokens.ts';

/**
 * Refuses requests that a foreign web page may have sent (threats 4). A page that rebinds its own
 * name to our address still sends that name as `Host`; one that posts across sites sends `Origin`.
 * The ping URL takes any `Origin`: there it is the sender's name.
 */
export function hostGuard(options: ApiOptions): RequestHandler {
  const isAllowed = hostRule(options);
  return (request, _response, next) => {
    if (!isAllowed(hostnameOf(`http://${request.headers.host ?? ''}`))) {
      throw new ApiError(
        403,
        'The Host of this request is not allowed: add it to the allowed hosts',
      );
    }
    const { origin } = request.headers;
    if (origin !== undefined && !request.path.startsWith(PING_PATH)) {
      if (!isAllowed(hostnameOf(origin))) {
        throw new ApiError(403, 'Requests from pages of this Origin are not allowed');
      }
    }
    next();
  };
}

function hostRule({ allowedHosts, host, publicUrl }: ApiOptions) {
  const names = new Set(
    [
      'localhost',
      host,
      ...allowedHosts,
      publicUrl === null ? undefined : new URL(publicUrl).hostname,
    ]
      .filter((name) => name !== undefined)
      .map((name) => name.toLowerCase()),
  );
  return (name: string | undefined) => name !== undefined && (isIP(name) !== 0 || names.has(name));
}

/** The host of an http or https URL without its port and brackets, in lower case. */
function hostnameOf(url: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\\]+$/i.test(url.replace(/\/$/, '')) || !URL.canParse(url))
    return undefined;
  return new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
