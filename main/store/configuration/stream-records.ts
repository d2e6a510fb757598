import { z } from 'zod';
import type { MapSecrets } from '#shared/secrets.ts';
import { type ChangeSet, type FiledRecord, idOf } from './change-set.ts';
import { type CollectionKind, currentVersion } from './collections.ts';
import { DecryptionError, decryptAll } from './encryption.ts';
import { OtherLayout, parseRecord, recordTexts } from './record-texts.ts';

/** Compiling the schema of checks takes about as long as the first records without that, before V8 optimizes them. */
const COMPILED_FROM = 500;

interface Source<T extends { id: string }> {
  path: string;
  /** Changes that are not all in the file. */
  changes: ChangeSet;
  kind: CollectionKind<T>;
  /** What the secrets are encrypted with. */
  key: Buffer;
  mapSecrets: MapSecrets | undefined;
}

/**
 * Hands over the records of a file one by one, with its changes, so that neither its text nor all records are in
 * memory. Only of a file as Watchpost leaves it.
 * @returns false where anything is the matter with it: then it is to be read whole, and what was handed over is void
 */
export async function streamRecords<T extends { id: string }>(
  source: Source<T>,
  take: (record: T) => void,
): Promise<boolean> {
  try {
    const seen = new Set<string>();
    let schema = source.kind.record;
    for await (const { record, mayHoldSecrets } of changedRecords(source)) {
      const good = read(record, mayHoldSecrets, schema, source);
      if (good === null || seen.has(good.id)) return false;
      seen.add(good.id);
      if (seen.size === COMPILED_FROM) schema = z.compile(schema);
      take(good);
    }
    return true;
  } catch (error) {
    const isOfFile = (error as NodeJS.ErrnoException).code !== undefined;
    if (error instanceof OtherLayout || error instanceof DecryptionError || isOfFile) return false;
    throw error;
  }
}

interface Found {
  record: unknown;
  mayHoldSecrets: boolean;
}

/** Most records hold no secret, and a walk through 10,000 checks takes its time. */
async function* changedRecords<T extends { id: string }>({
  path,
  changes,
  kind,
}: Source<T>): AsyncGenerator<Found> {
  const ofChange = (record: FiledRecord) => ({ record, mayHoldSecrets: true });
  const listed = new Set<string>();
  for await (const text of recordTexts(path, currentVersion(kind))) {
    const record = parseRecord(text);
    const id = idOf(record);
    const changed = changes.of(id);
    if (changed !== undefined) listed.add(id as string);
    if (changed === undefined) yield { record, mayHoldSecrets: text.includes('"$secret"') };
    else if (changed !== null) yield ofChange(changed);
  }
  for (const record of changes.added(listed)) yield ofChange(record);
}

/** Null where it cannot be read, or holds a secret in plain text. */
function read<T extends { id: string }>(
  record: unknown,
  mayHoldSecrets: boolean,
  schema: z.ZodType<T>,
  { key, mapSecrets }: Source<T>,
): T | null {
  const opened = mayHoldSecrets ? decryptAll(record, key) : { value: record, count: 0 };
  const { data } = schema.safeParse(opened.value);
  if (data === undefined) return null;
  let secrets = 0;
  mapSecrets?.(data, (text) => {
    secrets += 1;
    return text;
  });
  return secrets > opened.count ? null : data;
}
