import { z } from 'zod';
import { decimal, integer } from '#shared/api/query.ts';
import { ApiError } from './api-error.ts';

/** Schemas and errors that check sessions and test sessions share. */

const MAX_SECONDS = 30;
const description = 'How long to wait for the end before answering 408.';

/** Query of a completion route; newer ones take whole seconds only. */
export const waitQuery = z.object({
  maxWaitSeconds: decimal(1, MAX_SECONDS).default(MAX_SECONDS).meta({ description }),
});
export const wholeWaitQuery = z.object({
  maxWaitSeconds: integer(1, MAX_SECONDS).default(MAX_SECONDS).meta({ description }),
});

/** 408 of a completion route (specification 2.2): the client asks again. */
export function stillRunning(noun: string): ApiError {
  return new ApiError(408, `The ${noun} is still running: ask again.`, {
    headers: { 'retry-after': '1' },
  });
}

/** Body of a cancel route; there may be none. */
export const cancelBody = z
  .strictObject({
    sequenceId: z.array(z.guid().toLowerCase()).min(1).max(1_000).nullish().meta({
      description:
        'Sequences of results of this session: a safeguard, for the whole session is cancelled in any case.',
    }),
  })
  .prefault({});
