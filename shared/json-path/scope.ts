import type { JSONPathQuery } from 'json-p3';
import type { JsonBudget } from './budget.ts';

/** What every step of one evaluation shares. */
export interface Scope {
  /** The whole document: `$`. */
  root: unknown;
  budget: JsonBudget;
  /** The values that a query selects, from a value that stands for its `$` or `@`. */
  select(query: JSONPathQuery, from: unknown): unknown[];
  /** Whether a text matches a pattern, as a whole or in part; false for a pattern that is wrong. */
  matches(text: string, pattern: string, extent: 'whole' | 'part'): boolean;
}
