import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, type RateLimitInfo, rateLimit } from 'express-rate-limit';
import type { PingTokens } from '#main/services/ping-tokens.ts';
import { ApiError } from '../api-error.ts';
import type { ApiOptions } from '../options.ts';
import { pingTokenOf } from '../ping-path.ts';
import { isHeldPath } from '../status-page/page-path.ts';
import { type Sender, senderOf } from './identify.ts';

const MINUTE_MS = 60_000;

/**
 * 429 with `Retry-After` above the operator's number of requests a minute, for each key, and for
 * each address without one. Pings of known heartbeats are not counted: to refuse one would cause a
 * false alarm. Nor are health requests: a process manager would restart an appliance that is only busy. Nor
 * documents of status pages that are held for all readers.
 */
export function limitRate(options: ApiOptions, pingTokens: PingTokens): RequestHandler {
  return rateLimit({
    windowMs: MINUTE_MS,
    limit: options.rateLimitPerMinute,
    standardHeaders: false,
    legacyHeaders: false,
    keyGenerator: (request, response) => senderKey(request, senderOf(response as Response)),
    skip: (request) =>
      isHealth(request) || isKnownPing(request, pingTokens) || isHeldDocument(request),
    handler: (request, _response, next) => next(tooMany(request, options.rateLimitPerMinute)),
  });
}

function senderKey(request: Request, { key, signIn }: Sender): string {
  if (signIn !== undefined) return `sign-in ${signIn.id}`;
  // An IPv6 sender owns a whole subnet of addresses: they count as one.
  return key === undefined ? `address ${ipKeyGenerator(request.ip ?? '')}` : `key ${key.id}`;
}

/** Read as the router reads it. */
function isHealth({ path }: Request): boolean {
  return /^\/(?:healthz|readyz)\/?$/i.test(path);
}

/** Readers of a status page are many at once when something is wrong, often behind one address. */
function isHeldDocument({ method, path }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && isHeldPath(path);
}

function isKnownPing({ path }: Request, pingTokens: PingTokens): boolean {
  const token = pingTokenOf(path);
  return token !== undefined && pingTokens.checkOf(token) !== undefined;
}

function tooMany(request: Request, limit: number): ApiError {
  const { resetTime } = (request as Request & { rateLimit: RateLimitInfo }).rateLimit;
  const waitMs = resetTime === undefined ? MINUTE_MS : resetTime.getTime() - Date.now();
  return new ApiError(429, `More than ${limit} requests within a minute`, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) },
  });
}
