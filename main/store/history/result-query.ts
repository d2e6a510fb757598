import type { ResultQuery } from './history.ts';
import { firstUuidAt, requireUuid } from './uuid.ts';

type Value = string | number | Uint8Array | null;

/** A condition of SQL with the values of its question marks. */
export interface Condition {
  sql: string;
  values: Value[];
}

/**
 * Which results of a check a query asks for; none where the check is unknown (null). Only the fixed texts of this file become SQL; whatever
 * people sent is a value.
 */
export function matching(checkKey: number | null, query: ResultQuery): Condition {
  const conditions = [
    condition('r.check_key = ?', checkKey),
    query.from === undefined ? null : condition('r.id >= ?', firstUuidAt(query.from)),
    query.to === undefined ? null : condition('r.id < ?', firstUuidAt(query.to)),
    query.resultType === 'ALL'
      ? null
      : condition('r.final = ?', Number(query.resultType === 'FINAL')),
    query.location === undefined ? null : isWord('r.location', query.location),
    query.checkType === undefined ? null : isWord('r.check_type', query.checkType),
    query.hasFailures === undefined
      ? null
      : condition('r.has_failures = ?', Number(query.hasFailures)),
  ];
  return allOf(conditions.filter((part) => part !== null));
}

/** The part of it that comes after the entry `before`; newest first. */
export function after(matches: Condition, before: string | undefined): Condition {
  if (before === undefined) return matches;
  return allOf([matches, condition('r.id < ?', requireUuid(before))]);
}

function condition(sql: string, value: Value): Condition {
  return { sql, values: [value] };
}

function isWord(column: string, word: string): Condition {
  return condition(`${column} = (SELECT key FROM words WHERE word = ?)`, word);
}

function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}
