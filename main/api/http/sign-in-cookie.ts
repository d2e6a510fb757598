import { SIGN_IN_SECONDS } from '#main/services/sign-ins.ts';
import type { Account } from '#main/store/configuration/configuration.ts';
import { ApiError } from '../api-error.ts';

/** Only these paths get the cookie: the API itself takes no cookies. */
const PATH = '/app';

/** Browsers share cookies between the ports of a host: each appliance has a name of its own. */
function nameOf({ id }: Pick<Account, 'id'>): string {
  return `watchpost-${id.slice(0, 8)}`;
}

/** What our cookie holds, from the `Cookie` header of a request. */
export function signInCookie(header: string | undefined, account: Account): string | undefined {
  const start = `${nameOf(account)}=`;
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}

/** The `Set-Cookie` header that signs a browser in, or keeps it so; null signs it out. */
export function setSignInCookie(
  value: string | null,
  { account, baseUrl }: { account: Pick<Account, 'id'>; baseUrl: string },
): string {
  const isSecure = baseUrl.startsWith('https:');
  return [
    `${nameOf(account)}=${value ?? ''}`,
    `Max-Age=${value === null ? 0 : SIGN_IN_SECONDS}`,
    `Path=${PATH}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}

/**
 * Refuses what a page of another origin sent along with our cookie. `SameSite` does not tell the ports of a host
 * apart, nor does the guard of hosts: a page of another program on this machine is another origin too.
 *
 * @throws ApiError 403
 */
export function refuseOtherOrigins(
  method: string,
  headerOf: (name: string) => string | undefined,
  publicUrl: string | null,
): void {
  const [origin, site] = [headerOf('origin'), headerOf('sec-fetch-site')];
  const isRead = method === 'GET' || method === 'HEAD';
  // Every browser names its origin where it sends a cookie along with a change.
  const needsOrigin = !isRead && headerOf('cookie') !== undefined;
  const hosts = [headerOf('host'), ...(publicUrl === null ? [] : [new URL(publicUrl).host])];
  const isOurs = origin === undefined ? !needsOrigin : hosts.includes(hostOf(origin));
  const isSameSite = site === undefined || site === 'same-origin' || site === 'none';
  if (!isOurs || !isSameSite) {
    throw new ApiError(403, 'Only the pages of this appliance may ask for this');
  }
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
