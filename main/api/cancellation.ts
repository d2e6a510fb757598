import { z } from 'zod';
import { notFound } from '#main/services/service-error.ts';

/** Body of a cancel route (contract A.5, A.12); there may be none. */
export const cancelBody = z
  .strictObject({
    sequenceId: z.array(z.guid().toLowerCase()).min(1).max(1_000).nullish().meta({
      description:
        'Sequences of results of this session: a safeguard, for the whole session is cancelled in any case.',
    }),
  })
  .prefault({});

/** 404 where a sequence is named that no result belongs to. */
export function refuseForeignSequences(
  named: readonly string[] | null | undefined,
  results: readonly { sequenceId: string | null }[],
): void {
  const known = new Set(results.map(({ sequenceId }) => sequenceId));
  const foreign = named?.find((id) => !known.has(id));
  if (foreign !== undefined)
    throw notFound(`No result of this session has the sequence ${foreign}`);
}
