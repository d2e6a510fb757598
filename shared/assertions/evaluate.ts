import type { Assertion } from '#shared/checks/blocks.ts';
import { JsonBudget, JsonLimitError } from '#shared/json-path/budget.ts';
import { COMPARERS, type Comparer } from './comparisons.ts';
import { numberOf } from './decimal.ts';
import type { AssertedType } from './facts.ts';
import { type FactsOf, type Reader, type Seen, SOURCES } from './sources.ts';
import { Target } from './target.ts';
import { boundedActual, cut, type Show, shortened, spoken } from './text.ts';

export type {
  AssertedType,
  DnsFacts,
  HttpFacts,
  IcmpFacts,
  TcpFacts,
} from './facts.ts';

/** An assertion with what became of it. */
export interface AssertionOutcome extends Assertion {
  /** Its place in the list, from 0. */
  order: number;
  /** Null when it held, else a sentence with the value wanted and the value seen. */
  error: string | null;
  /** The value seen, cut to a bound; a list where several were found; null where none was. */
  actual: unknown;
}

/** Characters of what an assertion looks at, and of why it cannot, in a sentence. */
const MAX_SUBJECT_CHARS = 250;

/** Values of a path that an outcome shows; each is bounded for itself. */
const MAX_ACTUAL_VALUES = 20;

/**
 * Judges the assertions of a run against what the run found, each one, in order.
 * Never throws for anything that a check's settings or a target's answer hold.
 *
 * @param show cuts what is told of values, and may hide what is secret in them; what is not cut, in
 *   `actual` and of the assertion itself, is told as it is
 */
export function evaluateAssertions<T extends AssertedType>(
  type: T,
  assertions: readonly Assertion[],
  facts: FactsOf<T>,
  show: Show = cut,
): AssertionOutcome[] {
  if (assertions.length === 0) return [];
  // The compiler cannot tell that both indexes are the same T.
  const open = SOURCES[type] as (facts: FactsOf<T>) => Readonly<Record<string, Reader>>;
  const readers = open(facts);
  return assertions.map((assertion, order) => {
    const { error, actual } = judgeOne(assertion, readers[assertion.source], show);
    return { ...assertion, order, error, actual };
  });
}

/** Whether an assertion would hold for a value, instead of the one that was seen. */
export function wouldHold({ comparison, target }: Assertion, value: unknown): boolean {
  return COMPARERS[comparison].holds(value, new Target(target ?? '', new JsonBudget()));
}

type Judgement = Pick<AssertionOutcome, 'error' | 'actual'>;

function judgeOne(assertion: Assertion, reader: Reader | undefined, show: Show): Judgement {
  if (reader === undefined) {
    return { error: `A check of this type has no source ${assertion.source}`, actual: null };
  }
  const budget = new JsonBudget();
  try {
    return compareSeen(assertion, reader(assertion, budget), budget, show);
  } catch (error) {
    if (!(error instanceof JsonLimitError)) throw error;
    const { source, property } = assertion;
    const place = property ? ` ${shortened(property, MAX_SUBJECT_CHARS, show)}` : '';
    return { error: `Could not look at ${source}${place}: ${error.message}`, actual: null };
  }
}

/** The comparison must hold for every value found; where none was, for `undefined`. */
function compareSeen(assertion: Assertion, seen: Seen, budget: JsonBudget, show: Show): Judgement {
  const comparer = COMPARERS[assertion.comparison];
  const target = new Target(assertion.target ?? '', budget);
  const subject = shortened(seen.subject, MAX_SUBJECT_CHARS, show);
  const wanted = `Expected ${subject} ${comparer.words}${spokenTarget(comparer, target, show)}`;
  if (seen.problem !== undefined) {
    const problem = shortened(seen.problem, MAX_SUBJECT_CHARS, show);
    return { error: `${wanted}, but ${problem}`, actual: null };
  }
  if (seen.values.length === 0) {
    const isHeld = comparer.holds(undefined, target);
    return { error: isHeld ? null : `${wanted}, but found nothing`, actual: null };
  }
  const offending = seen.values.findIndex((value) => !comparer.holds(value, target));
  const error =
    offending === -1
      ? null
      : `${wanted}, but got ${got(seen.values, offending, comparer, target, show)}`;
  return { error, actual: actualOf(seen.values, show) };
}

function spokenTarget({ wants }: Comparer, { text, number }: Target, show: Show): string {
  if (wants === 'nothing') return '';
  return ` ${number === null ? spoken(text, show) : shortened(text.trim(), MAX_SUBJECT_CHARS, show)}`;
}

/** The first value that the comparison fails for, where it is, and why if that does not show. */
function got(
  values: readonly unknown[],
  offending: number,
  { wants }: Comparer,
  target: Target,
  show: Show,
): string {
  const value = values[offending];
  const place = values.length > 1 ? ` (value ${offending + 1} of ${values.length})` : '';
  const said = `${spoken(value, show)}${place}`;
  if (wants !== 'number') return said;
  if (numberOf(value) === null) return `${said}, which is not a number`;
  const reason = target.number === null ? ', and the target is not a number' : '';
  return `${said}${reason}`;
}

function actualOf(values: readonly unknown[], show: Show): unknown {
  if (values.length === 1) return boundedActual(values[0], show);
  return boundedActual(values.slice(0, MAX_ACTUAL_VALUES), show);
}
