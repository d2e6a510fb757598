import { z } from 'zod';
import { StartupError } from '../startup-error.ts';
import { type CollectionKind, currentVersion } from './collections.ts';
import { SealError, type Unsealed, unsealAll } from './sealed.ts';

/** What a collection's file holds. */
export interface Envelope<T> {
  version: number;
  /** In the order of creation. */
  records: readonly T[];
}

const envelope = z.strictObject({ version: z.int().min(1), records: z.array(z.unknown()) });

/** Problems that one message names; the rest is counted. */
const MAX_PROBLEMS = 3;

/** A collection as read from its file. */
export interface Parsed<T> {
  envelope: Envelope<T>;
  /** The version that the file had. */
  foundVersion: number;
  /** Secrets that it held encrypted. */
  sealedCount: number;
}

/**
 * Reads a collection's text, brought to the current version and decrypted in memory.
 * @param path for the message
 * @param key what the secrets are encrypted with
 * @throws StartupError naming the file, what is wrong and what was expected
 */
export function parseEnvelope<T extends { id: string }>(
  text: string,
  path: string,
  kind: CollectionKind<T>,
  key: Buffer,
): Parsed<T> {
  const outer = envelope.safeParse(parseJson(text, path));
  if (!outer.success) throw unusable(path, describe(outer.error));
  const foundVersion = outer.data.version;
  const version = currentVersion(kind);
  if (foundVersion > version) {
    throw unusable(path, `version: expected at most ${version}, got ${foundVersion}`);
  }
  const { records: found } = outer.data;
  // Most files hold no secret, and a walk through 10,000 checks takes its time.
  const mayHoldSecrets = text.includes('"$secret"');
  const opened = mayHoldSecrets ? openSecrets(found, path, key) : { value: found, count: 0 };
  const migrated = kind.migrations
    .slice(foundVersion - 1)
    .reduce<readonly unknown[]>(
      (records, migrate) => migrate(records),
      opened.value as readonly unknown[],
    );
  const records = z.object({ records: z.array(kind.record) }).safeParse({ records: migrated });
  if (!records.success) throw unusable(path, describe(records.error));
  rejectDoubles(records.data.records, path);
  return {
    envelope: { version, records: records.data.records },
    foundVersion,
    sealedCount: opened.count,
  };
}

function openSecrets(records: readonly unknown[], path: string, key: Buffer): Unsealed {
  try {
    return unsealAll(records, key);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw unusable(path, error.message, error);
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unusable(path, `expected JSON: ${(error as Error).message}`, error);
  }
}

function rejectDoubles(records: readonly { id: string }[], path: string): void {
  const seen = new Map<string, number>();
  for (const [index, { id }] of records.entries()) {
    const first = seen.get(id);
    if (first !== undefined) {
      throw unusable(path, `records[${index}].id: expected another id than records[${first}].id`);
    }
    seen.set(id, index);
  }
}

function describe({ issues }: z.ZodError): string {
  const named = issues
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) =>
      path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`,
    );
  const rest = issues.length - named.length;
  return rest > 0 ? `${named.join('; ')}; and ${rest} more` : named.join('; ');
}

function unusable(path: string, problem: string, cause?: unknown): StartupError {
  const line = `${path} cannot be used, and was left as it is: ${problem}.`;
  // One line, whatever a parser quotes from the file.
  return new StartupError(line.replaceAll(/\s+/g, ' '), { cause });
}
