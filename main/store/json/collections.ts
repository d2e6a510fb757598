import { z } from 'zod';
import { type Check, storedSchema } from '#shared/check/check.ts';
import { CHECK_TYPES } from '#shared/check/enums.ts';
import type { Account, ApiKey, Collection, Configuration } from '../configuration.ts';

/** The members of {@link Configuration} that hold records. */
export type CollectionName = Exclude<keyof Configuration, 'close'>;
export type RecordOf<K extends CollectionName> =
  Configuration[K] extends Collection<infer T> ? T : never;

/** How the records of one kind are kept. */
export interface CollectionKind<T extends { id: string }> {
  /** Its file in the data folder. */
  file: string;
  record: z.ZodType<T>;
  /** Step n turns the records of version n + 1 of the file into those of the next one. */
  migrations: readonly Migration[];
}

export type Migration = (records: readonly unknown[]) => unknown[];

/**
 * Members that no schema names are kept as they are, so that a file that went through an older
 * version of Watchpost loses nothing.
 */
const check = z.discriminatedUnion(
  'checkType',
  CHECK_TYPES.map((type) => storedSchema(type).loose()) as unknown as [z.ZodObject, z.ZodObject],
) as unknown as z.ZodType<Check>;

const apiKey = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  hash: z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hexadecimal digits'),
  prefix: z.string(),
  created_at: z.iso.datetime(),
}) satisfies z.ZodType<ApiKey>;

const account = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  runtimeId: z.string(),
  created_at: z.iso.datetime(),
}) satisfies z.ZodType<Account>;

/** The one table of collections: a new one is a new line here. */
export const COLLECTIONS = {
  checks: { file: 'checks.json', record: check, migrations: [] },
  keys: { file: 'keys.json', record: apiKey, migrations: [] },
  account: { file: 'account.json', record: account, migrations: [] },
} as const satisfies { [K in CollectionName]: CollectionKind<RecordOf<K>> };

export const COLLECTION_NAMES = Object.keys(COLLECTIONS) as CollectionName[];

/** The version of a collection's file that this build writes. */
export function currentVersion({ migrations }: { migrations: readonly Migration[] }): number {
  return migrations.length + 1;
}
