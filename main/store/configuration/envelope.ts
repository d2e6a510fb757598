import { z } from 'zod';
import { StartupError } from '#main/platform/startup-error.ts';
import { ChangeSet } from './change-set.ts';
import { type CollectionKind, currentVersion } from './collections.ts';
import { type Decrypted, DecryptionError, decryptAll } from './encryption.ts';
import type { JournalEntry } from './journal-lines.ts';

/** What a collection's file holds. */
export interface Envelope<T> {
  version: number;
  /** In the order of creation. */
  records: readonly T[];
}

const envelope = z.strictObject({ version: z.int().min(1), records: z.array(z.unknown()) });

/** Problems that one message names; the rest is counted. */
const MAX_PROBLEMS = 3;

/** A record that cannot be read. */
export interface Stray {
  /** As it stands in the file. */
  record: unknown;
  /** Where it stands, and what is the matter with it. */
  problem: string;
}

/** A collection as read from its file. */
export interface Parsed<T> {
  envelope: Envelope<T>;
  /** Records that cost themselves alone; they are to stay in the file. */
  strays: Stray[];
  /** The version that the file had. */
  foundVersion: number;
  /** Secrets that it held encrypted. */
  encryptedCount: number;
}

/** A collection as it stands on the disk. */
interface Filed {
  /** Of its file; null where there is none. */
  text: string | null;
  /** Changes that are not all in the file. */
  entries: readonly JournalEntry[];
}

/**
 * Reads a collection's text and journal, brought to the current version and decrypted in memory.
 * @param path for the message
 * @param key what the secrets are encrypted with
 * @throws StartupError naming the file, what is wrong and what was expected
 */
export function parseEnvelope<T extends { id: string }>(
  { text, entries }: Filed,
  path: string,
  kind: CollectionKind<T>,
  key: Buffer,
): Parsed<T> {
  const version = currentVersion(kind);
  const file =
    text === null
      ? { version: entries[0]?.version ?? version, records: [] }
      : parseText(text, path);
  const foundVersion = file.version;
  for (const found of [foundVersion, ...entries.map((entry) => entry.version)]) {
    const most = Math.min(version, foundVersion);
    if (found > most) throw unusable(path, `version: expected at most ${most}, got ${found}`);
  }
  // A file that was brought to another version has what its journal had before.
  const current = entries.filter((entry) => entry.version === foundVersion);
  const found = new ChangeSet(current.flatMap(({ changes }) => changes)).applyTo(file.records);
  // Most files hold no secret, and a walk through 10,000 checks takes its time.
  const mayHoldSecrets = current.length > 0 || text?.includes('"$secret"');
  const opened = found.map((record, index) =>
    mayHoldSecrets ? openSecrets(record, index, key) : { value: record, count: 0 },
  );
  const encryptedCount = opened.reduce((sum, { count = 0 }) => sum + count, 0);
  const unopened = opened.find(({ problem }) => problem !== undefined)?.problem;
  const isOld = foundVersion < version;
  // Where none opens it is the key that is wrong.
  if (unopened !== undefined && (encryptedCount === 0 || isOld)) throw unusable(path, unopened);
  const { records, strays } = readRecords(opened, kind, foundVersion);
  // Of a file that is brought to another version none may stay as it was, and without some
  // collections everything is another.
  if (strays[0] && (isOld || kind.isEssential)) throw unusable(path, summaryOf(strays));
  rejectDoubles(records, path);
  return {
    envelope: { version, records },
    strays: strays.map(({ index, problem }) => ({ record: found[index], problem })),
    foundVersion,
    encryptedCount,
  };
}

/** A record with its secrets in plain text, or why they cannot be opened. */
type Opened = Partial<Decrypted> & { problem?: string };

function openSecrets(record: unknown, index: number, key: Buffer): Opened {
  try {
    return decryptAll(record, key, `records[${index}]`);
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    return { problem: error.message };
  }
}

interface Read<T> {
  records: T[];
  strays: { index: number; problem: string }[];
}

function readRecords<T extends { id: string }>(
  opened: readonly Opened[],
  { migrations, record: schema }: CollectionKind<T>,
  foundVersion: number,
): Read<T> {
  const read: Read<T> = { records: [], strays: [] };
  const migrated = migrations.slice(foundVersion - 1).reduce<readonly unknown[]>(
    (records, migrate) => migrate(records),
    opened.map(({ value }) => value),
  );
  for (const [index, value] of migrated.entries()) {
    const parsed = schema.safeParse(value);
    const problem = opened[index]?.problem;
    if (parsed.success && problem === undefined) read.records.push(parsed.data);
    else read.strays.push({ index, problem: problem ?? problemsOf(parsed.error, index) });
  }
  return read;
}

function problemsOf(error: z.ZodError | undefined, index: number): string {
  const issues = error?.issues ?? [];
  return describe(issues.map((issue) => ({ ...issue, path: ['records', index, ...issue.path] })));
}

function summaryOf(strays: readonly { problem: string }[]): string {
  const named = strays.slice(0, MAX_PROBLEMS).map(({ problem }) => problem);
  const rest = strays.length - named.length;
  return named.join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

function parseText(text: string, path: string): Envelope<unknown> {
  const outer = envelope.safeParse(parseJson(text, path));
  if (!outer.success) throw unusable(path, describe(outer.error.issues));
  return outer.data;
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

function describe(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const named = issues
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) =>
      path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`,
    );
  const rest = issues.length - named.length;
  return rest > 0 ? `${named.join('; ')}; and ${rest} more` : named.join('; ');
}

/** A line of a journal that was whole once: without it, later changes may stand on what is not there. */
export function damagedJournal(path: string, line: number): StartupError {
  const advice = 'put the file back from a backup, or remove that line and go without its changes';
  return unusable(path, `line ${line} is damaged: ${advice}`);
}

function unusable(path: string, problem: string, cause?: unknown): StartupError {
  const line = `${path} cannot be used, and was left as it is: ${problem}.`;
  // One line, whatever a parser quotes from the file.
  return new StartupError(line.replaceAll(/\s+/g, ' '), { cause });
}
