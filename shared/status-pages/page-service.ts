import { z } from 'zod';
import { nameOnOneLine } from './name.ts';

/** Most services of an account: a bound of ours. */
export const MAX_PAGE_SERVICES = 1_000;

/** Body of `POST` and `PUT /v1/status-pages/services`. */
export const pageServiceBody = z.object({ name: nameOnOneLine });
export type PageServiceBody = z.output<typeof pageServiceBody>;

/** What status pages show the state of, as it is stored. */
export const storedPageService = z.looseObject({
  id: z.guid(),
  name: z.string().min(1),
  /** ISO 8601 in UTC with milliseconds. */
  created_at: z.iso.datetime(),
  /** Null before the first change. */
  updated_at: z.iso.datetime().nullable(),
});
export type PageService = z.output<typeof storedPageService>;

/** A service as the API answers it (2.10). */
export const pageServiceView = z.object({
  name: z.string(),
  id: z.guid(),
  accountId: z.guid(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
});

export function viewPageService(
  {
    id,
    name,
    created_at,
    updated_at,
  }: Pick<PageService, 'id' | 'name' | 'created_at' | 'updated_at'>,
  accountId: string,
): z.output<typeof pageServiceView> {
  return { name, id, accountId, created_at, updated_at };
}
