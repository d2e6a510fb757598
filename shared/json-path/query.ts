import {
  JSONPathEnvironment,
  JSONPathError,
  type JSONPathQuery,
  jsonpath,
  TokenKind,
} from 'json-p3';
import type { RE2JS } from 're2js';
import { compilePattern, matches } from '#shared/pattern.ts';
import { type JsonBudget, JsonLimitError } from './budget.ts';
import type { Scope } from './scope.ts';
import { select } from './select.ts';
import { characterCount, isObject } from './value.ts';

/**
 * JSONPath by RFC 9535. json-p3 parses a path and checks its types, without eval; the
 * evaluation is our own, because the library's knows no bound on its work, passes long arrays as
 * arguments (more than about 100,000 elements overflow the stack), and gives users' patterns to
 * the engine of the platform, which may take exponential time.
 */

/** The values that a path selects, or why there are none to speak of. */
export type PathOutcome = { values: unknown[] } | { problem: string };

const { NameSelector } = jsonpath.selectors;
const ENVIRONMENT = new JSONPathEnvironment();

/** Different patterns that one evaluation keeps compiled; they may come from the document. */
const MAX_KEPT_PATTERNS = 50;

/** Steps that compiling a pattern counts for, and each instruction of its program. */
const PATTERN_STEPS = 1_000;
const INSTRUCTION_STEPS = 20;

/** Instructions times characters of a match that count for one step. */
const MATCH_STEPS_PER_STEP = 10;

/**
 * The values that a path selects in a document. Beyond RFC 9535, `.length` at the end of a path
 * asks an array or a string for its length. Throws a {@link JsonLimitError} where
 * the budget runs out.
 */
export function queryJson(path: string, document: unknown, budget: JsonBudget): PathOutcome {
  const parsed = parse(path.trim());
  if ('problem' in parsed) return parsed;
  const { query, wantsLength } = parsed;
  const scope = createScope(document, budget);
  const values = select(query, document, scope);
  return { values: wantsLength ? values.flatMap(lengthsOf) : values };
}

const SHOWN_PROBLEM_CHARS = 200;

/** What is wrong with a path that does not parse; null where it does. */
export function jsonPathProblem(path: string): string | null {
  const parsed = parse(path.trim());
  return 'problem' in parsed ? parsed.problem.slice(0, SHOWN_PROBLEM_CHARS) : null;
}

type Parsed = { query: JSONPathQuery; wantsLength: boolean } | { problem: string };

function parse(path: string): Parsed {
  try {
    const query = ENVIRONMENT.compile(path);
    const wantsLength = endsInLength(query);
    const segments = wantsLength ? query.segments.slice(0, -1) : query.segments;
    return { query: new jsonpath.JSONPathQuery(ENVIRONMENT, segments), wantsLength };
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    return { problem: `the JSONPath is not valid: ${error.message}` };
  }
}

/** `$.items.length`, but neither `$..length` nor `$['length']`. */
function endsInLength({ segments }: JSONPathQuery): boolean {
  const last = segments.at(-1);
  const [selector] = last?.selectors ?? [];
  return (
    last?.token.kind === TokenKind.NAME &&
    selector instanceof NameSelector &&
    selector.name === 'length'
  );
}

function lengthsOf(value: unknown): unknown[] {
  if (typeof value === 'string') return [characterCount(value)];
  if (Array.isArray(value)) return [value.length];
  return isObject(value) && Object.hasOwn(value, 'length') ? [value.length] : [];
}

function createScope(root: unknown, budget: JsonBudget): Scope {
  const patternOf = patternKeeper(budget);
  const scope: Scope = {
    root,
    budget,
    select: (query, from) => select(query, from, scope),
    matches: (text, source, extent) => {
      const pattern = patternOf(source);
      if (pattern === null) return false;
      budget.spend(1 + (pattern.programSize() * text.length) / MATCH_STEPS_PER_STEP);
      const outcome = matches(pattern, text, extent);
      if ('problem' in outcome) throw new JsonLimitError(outcome.problem);
      return outcome.value;
    },
  };
  return scope;
}

/** Compiles the patterns of one evaluation once each. Null is a pattern that is wrong. */
function patternKeeper(budget: JsonBudget): (source: string) => RE2JS | null {
  const kept = new Map<string, RE2JS | null>();
  return (source) => {
    const known = kept.get(source);
    if (known !== undefined) return known;
    const compiled = compilePattern(withoutCarriageReturn(source));
    const pattern = 'value' in compiled ? compiled.value : null;
    budget.spend(PATTERN_STEPS + (pattern?.programSize() ?? 0) * INSTRUCTION_STEPS);
    if (kept.size < MAX_KEPT_PATTERNS) kept.set(source, pattern);
    return pattern;
  };
}

/** In an I-Regexp a dot outside brackets takes neither LF nor CR (RFC 9485, 5.3). */
function withoutCarriageReturn(source: string): string {
  return source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\./gs, (part) =>
    part === '.' ? '[^\\n\\r]' : part,
  );
}
