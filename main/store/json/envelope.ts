import { z } from 'zod';
import { StartupError } from '../startup-error.ts';
import { type CollectionKind, currentVersion } from './collections.ts';

/** What a collection's file holds. */
export interface Envelope<T> {
  version: number;
  /** In the order of creation. */
  records: readonly T[];
}

const envelope = z.strictObject({ version: z.int().min(1), records: z.array(z.unknown()) });

/** Problems that one message names; the rest is counted. */
const MAX_PROBLEMS = 3;

/**
 * Reads a collection's text, brought to the current version in memory.
 * @param path for the message
 * @returns the envelope, and the version that the file had
 * @throws StartupError naming the file, what is wrong and what was expected
 */
export function parseEnvelope<T extends { id: string }>(
  text: string,
  path: string,
  kind: CollectionKind<T>,
): { envelope: Envelope<T>; foundVersion: number } {
  const outer = envelope.safeParse(parseJson(text, path));
  if (!outer.success) throw unusable(path, describe(outer.error));
  const foundVersion = outer.data.version;
  const version = currentVersion(kind);
  if (foundVersion > version) {
    throw unusable(path, `version: expected at most ${version}, got ${foundVersion}`);
  }
  const migrated = kind.migrations
    .slice(foundVersion - 1)
    .reduce<readonly unknown[]>((records, migrate) => migrate(records), outer.data.records);
  const records = z.object({ records: z.array(kind.record) }).safeParse({ records: migrated });
  if (!records.success) throw unusable(path, describe(records.error));
  rejectDoubles(records.data.records, path);
  return { envelope: { version, records: records.data.records }, foundVersion };
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
