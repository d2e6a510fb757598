import express, { type RequestHandler } from 'express';
import { ApiError } from '../api-error.ts';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i;

/**
 * Reads a JSON body into `request.body`; a request without a body leaves it undefined. gzip,
 * deflate and br are inflated, and the limit bounds what comes out of them. 415 for another type,
 * 413 above the limit, 400 for what is not JSON.
 */
export function readBody(limitBytes: number): RequestHandler[] {
  return [refuseOtherTypes, express.json({ limit: limitBytes, type: () => true, strict: true })];
}

const refuseOtherTypes: RequestHandler = (request, _response, next) => {
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  const hasBody = chunked !== undefined || (length !== undefined && length !== '0');
  if (hasBody && !JSON_TYPE.test(request.headers['content-type'] ?? '')) {
    throw new ApiError(
      415,
      'The body must be JSON, with the header content-type: application/json',
    );
  }
  next();
};
