import { type Matcher, RE2JS, RE2JSException } from 're2js';

/**
 * Users' regular expressions, on RE2: time linear in the text, whatever the pattern.
 * Linear still has a factor, the size of the pattern's program, so both are bounded together.
 */

/** What came of a pattern. A pattern that is wrong or too costly is a value, not an exception. */
export type PatternOutcome<T> = { value: T } | { problem: string };

/** Instructions that a pattern may compile to: about 0.1 s at 2 µs each (measured). */
const MAX_PROGRAM_SIZE = 50_000;

/** Instructions times characters of one match: at worst 0.8 s at 40 ns each (measured). */
const MAX_MATCH_STEPS = 20_000_000;

/** RE2 refuses nested repetitions that multiply to more. */
const RE2_MAX_REPEAT = 1_000;

const MAX_QUOTED_CHARS = 80;

/**
 * Compiles a pattern as users write it: JavaScript syntax without flags, save what
 * RE2 cannot do in linear time: back-references and look-around.
 */
export function compilePattern(source: string): PatternOutcome<RE2JS> {
  if (programSizeBound(source) > MAX_PROGRAM_SIZE) {
    return { problem: `the regular expression ${quoted(source)} repeats too much` };
  }
  try {
    return { value: RE2JS.compile(RE2JS.translateRegExp(source)) };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { problem: `the regular expression ${quoted(source)} is not valid: ${error.message}` };
  }
}

/**
 * The first capture group of a pattern's first match in a text, or the whole match of a pattern
 * without groups; null where there is none.
 */
export function extract(source: string, text: string): PatternOutcome<string | null> {
  const compiled = compilePattern(source);
  if ('problem' in compiled) return compiled;
  const matcher = boundedMatcher(compiled.value, text);
  if ('problem' in matcher) return matcher;
  if (!matcher.value.find()) return { value: null };
  return { value: matcher.value.group(matcher.value.groupCount() > 0 ? 1 : 0) };
}

/** Whether a pattern matches the whole of a text, or some part of it. */
export function matches(
  pattern: RE2JS,
  text: string,
  extent: 'whole' | 'part',
): PatternOutcome<boolean> {
  const matcher = boundedMatcher(pattern, text);
  if ('problem' in matcher) return matcher;
  return { value: extent === 'whole' ? matcher.value.matches() : matcher.value.find() };
}

function boundedMatcher(pattern: RE2JS, text: string): PatternOutcome<Matcher> {
  if (pattern.programSize() * text.length > MAX_MATCH_STEPS) {
    return {
      problem: `the regular expression ${quoted(pattern.pattern())} is too costly for a text of ${text.length} characters`,
    };
  }
  return { value: pattern.matcher(text) };
}

/**
 * An upper bound, cheap to find, of the instructions that a pattern compiles to: each counted
 * repetition copies its operand. Where no group is repeated the copies add up; otherwise they
 * multiply, as far as RE2 lets them.
 */
function programSizeBound(source: string): number {
  const counts = [...source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, min, max]) =>
    Math.max(Number(min), Number(max ?? 0), 1),
  );
  const copies = source.includes('){')
    ? Math.min(
        RE2_MAX_REPEAT,
        counts.reduce((product, count) => product * count, 1),
      )
    : counts.reduce((sum, count) => sum + count, 1);
  return source.length * copies;
}

function quoted(source: string): string {
  return source.length > MAX_QUOTED_CHARS
    ? `/${source.slice(0, MAX_QUOTED_CHARS)}…/`
    : `/${source}/`;
}
