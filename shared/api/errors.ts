import { z } from 'zod';

/** The fixed phrases of error bodies. */
export const ERROR_PHRASES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Time-out',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;
export type ErrorStatus = keyof typeof ERROR_PHRASES;

export function isErrorStatus(status: unknown): status is ErrorStatus {
  return typeof status === 'number' && Object.hasOwn(ERROR_PHRASES, status);
}

/** Which part of a request a problem is in. */
export const INPUT_SOURCES = ['payload', 'query', 'params', 'headers'] as const;
export type InputSource = (typeof INPUT_SOURCES)[number];

/** A part of a request, and the dotted path of each bad member in it. */
const wrongPart = z.object({ source: z.enum(INPUT_SOURCES), keys: z.array(z.string()) });

/** What an answer of status 400 or more holds. */
export const errorBody = z.object({
  statusCode: z.int(),
  error: z.string(),
  /** For people; of a 400 every problem as `path: what was expected`, joined by `; `. */
  message: z.string(),
  /** Only of a 400 for wrong input; `others`: what is wrong in further parts of the request. */
  validation: wrongPart.extend({ others: z.array(wrongPart).optional() }).optional(),
});
export type ErrorBody = z.output<typeof errorBody>;
