import { z } from 'zod';
import { decimal, integer } from '#shared/api/query.ts';
import { ApiError } from './api-error.ts';

const MAX_SECONDS = 30;
const description = 'How long to wait for the end before answering 408.';

/** Query of a completion route (contract 1.2): newer ones take whole seconds only. */
export const waitQuery = z.object({
  maxWaitSeconds: decimal(1, MAX_SECONDS).default(MAX_SECONDS).meta({ description }),
});
export const wholeWaitQuery = z.object({
  maxWaitSeconds: integer(1, MAX_SECONDS).default(MAX_SECONDS).meta({ description }),
});

/** 408 of a completion route (contract 2.2): the client asks again. */
export function stillRunning(noun: string): ApiError {
  return new ApiError(408, `The ${noun} is still running: ask again.`, {
    headers: { 'retry-after': '1' },
  });
}
