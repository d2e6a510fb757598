import type { Request, RequestHandler, Response } from 'express';
import { isToken } from '#main/services/keys.ts';
import type { ApiKey } from '#main/store/configuration/configuration.ts';
import type { SignIn } from '#shared/sign-ins/sign-in.ts';
import { ApiError } from '../api-error.ts';
import type { Access, Context } from '../operation.ts';
import { refuseOtherOrigins, signInCookie } from './sign-in-cookie.ts';

/** What is known of a request's sender; Express keeps it in `response.locals`. */
export interface Sender {
  key: ApiKey | undefined;
  /** Of a page of the interface, by its access token. */
  signIn: SignIn | undefined;
  isAdmin: boolean;
}

const BEARER = /^Bearer +([!-~]+) *$/i;

/** Identifies the sender of a request and refuses none. A new or revoked key counts at once. */
export function identify({ keys, signIns, options }: Context): RequestHandler {
  return (request, response, next) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const sender: Sender = {
      key: token === undefined ? undefined : keys.use(token),
      signIn: token === undefined ? undefined : signIns.ofAccessToken(token),
      isAdmin: token !== undefined && isToken(options.adminToken, token),
    };
    response.locals.sender = sender;
    next();
  };
}

export function senderOf(response: Response): Sender {
  return response.locals.sender as Sender;
}

/** Both names of the account header. */
export const ACCOUNT_HEADERS = ['x-service-account', 'x-checkly-account'] as const;

/** Section 5: 401 without a valid key, 403 for another account than ours. */
export function authorize(
  access: Access,
  request: Request,
  response: Response,
  { accounts, signIns, options }: Context,
) {
  if (access.kind === 'open') return;
  const account = accounts.own();
  if (access.kind === 'cookie') {
    refuseOtherOrigins(request.method, (header) => request.get(header), options.publicUrl);
    const cookie = signInCookie(request.headers.cookie, account);
    senderOf(response).signIn = cookie === undefined ? undefined : signIns.ofCookie(cookie);
  }
  if (!mayCall(access, senderOf(response))) {
    throw new ApiError(401, 'Bad Token', { headers: { 'www-authenticate': 'Bearer' } });
  }
  const named = ACCOUNT_HEADERS.map((name) => request.get(name)?.trim().toLowerCase());
  // Clients without a configured account send an empty header.
  if (named.some((id) => id && id !== account.id)) {
    throw new ApiError(403, 'This key does not belong to the account that the request names');
  }
}

/** Who is signed in at the interface may do whatever a key may, and see to the keys. */
function mayCall(access: Access, { key, signIn, isAdmin }: Sender): boolean {
  if (signIn !== undefined) return true;
  if (access.kind === 'admin') return isAdmin;
  return access.kind === 'key' && key !== undefined;
}
