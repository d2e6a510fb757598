import { RECORD_SHAPES, type RecordKind } from './record-shapes.ts';
import { formatUuid } from './uuid.ts';

/** Told of a record that cannot be read: of what it is, and what is the matter with it. */
export type ReportUnreadable = (kind: RecordKind | 'result', id: string, problem: string) => void;

/** A row that holds a record whole, as JSON. */
export interface RecordRow {
  /** As the record itself has it; undefined where it has none. */
  id?: string | undefined;
  /** For the log. */
  name: string;
  body: unknown;
}

/** SQL for a text, or NULL where it is no JSON: its functions would end the whole query. */
export const ifJson = (column: string): string =>
  `(CASE WHEN json_valid(${column}) THEN ${column} END)`;

/** SQL for whether a text is a JSON object: 1, 0, or NULL where it is no JSON. Ten times as fast as parsing it here. */
export const isObject = (column: string): string =>
  `(CASE WHEN json_valid(${column}) THEN json_type(${column}) = 'object' END)`;

/** The row of a record that is kept under its own id. */
export function recordRow({ id, body }: Record<string, unknown>): RecordRow {
  const own = formatUuid(id as Uint8Array);
  return { id: own, name: own, body };
}

/** Each read as it is asked for. */
export function* recordRows(rows: Iterable<Record<string, unknown>>): Generator<RecordRow, void> {
  for (const row of rows) yield recordRow(row);
}

/** Records that the log is told of; a table that is broken throughout has one line for each of these. */
const MAX_TOLD = 100;
const MAX_PROBLEM_LENGTH = 300;

/**
 * Reads records that are kept whole as JSON. One that cannot be read costs itself alone: it is passed
 * over, stays where it is, and is told of once.
 */
export class StoredRecords {
  readonly #report: ReportUnreadable;
  readonly #told = new Set<string>();

  constructor(report: ReportUnreadable) {
    this.#report = report;
  }

  /** The text of a record; null where it cannot be read. */
  text(kind: RecordKind, { id, name, body }: RecordRow): string | null {
    const text = String(body);
    const problem = problemOf(kind, text, id);
    if (problem === null) return text;
    this.tell(kind, name, problem);
    return null;
  }

  /** The text of an array of those that can be read, so many at most. */
  array(kind: RecordKind, rows: Iterable<RecordRow>, limit = Number.POSITIVE_INFINITY): string {
    const texts: string[] = [];
    for (const row of rows) {
      const text = this.text(kind, row);
      if (text !== null && texts.push(text) >= limit) break;
    }
    return `[${texts.join(',')}]`;
  }

  /** Tells of a record, once. */
  tell(kind: RecordKind | 'result', name: string, problem: string): void {
    const key = `${kind} ${name}`;
    if (this.#told.has(key) || this.#told.size >= MAX_TOLD) return;
    this.#told.add(key);
    this.#report(kind, name, problem.slice(0, MAX_PROBLEM_LENGTH));
  }
}

function problemOf(kind: RecordKind, text: string, id: string | undefined): string | null {
  const parsed = parse(text);
  if (parsed === undefined) return 'expected JSON';
  const read = RECORD_SHAPES[kind].safeParse(parsed);
  if (!read.success) {
    return read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  }
  const { id: own } = read.data as { id?: unknown };
  return id === undefined || own === id ? null : `id: expected ${id}`;
}

/** Undefined where it is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
