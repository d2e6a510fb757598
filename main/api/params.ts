import { z } from 'zod';
import { integer } from '#shared/api/query.ts';

/** A UUID in a path, in either case; ids are kept in lower case. */
export const uuidParam = z.guid().toLowerCase();

export const idParams = z.object({ id: uuidParam });
export const checkIdParams = z.object({ checkId: uuidParam });

/** The whole-number id of a resource in a path. */
export const numberParam = integer(1, 1_000_000_000);
