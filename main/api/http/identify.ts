import type { Request, RequestHandler, Response } from 'express';
import { isToken } from '#main/services/keys.ts';
import type { Account, ApiKey } from '#main/store/configuration/configuration.ts';
import { ApiError } from '../api-error.ts';
import type { Access, Context } from '../operation.ts';

/** What is known of a request's sender; Express keeps it in `response.locals`. */
export interface Sender {
  key: ApiKey | undefined;
  isAdmin: boolean;
}

const BEARER = /^Bearer +([!-~]+) *$/i;

/** Identifies the sender of a request and refuses none. A new or revoked key counts at once. */
export function identify({ keys, options }: Context): RequestHandler {
  return (request, response, next) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const sender: Sender = {
      key: token === undefined ? undefined : keys.recordOf(token),
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
export function authorize(access: Access, request: Request, response: Response, account: Account) {
  if (access.kind === 'open') return;
  const { key, isAdmin } = senderOf(response);
  if (access.kind === 'admin' ? !isAdmin : key === undefined) {
    throw new ApiError(401, 'Bad Token', { headers: { 'www-authenticate': 'Bearer' } });
  }
  const named = ACCOUNT_HEADERS.map((name) => request.get(name)?.trim().toLowerCase());
  // Clients without a configured account send an empty header.
  if (named.some((id) => id && id !== account.id)) {
    throw new ApiError(403, 'This key does not belong to the account that the request names');
  }
}
