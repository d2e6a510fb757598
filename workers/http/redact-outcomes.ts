import type { AssertionOutcome } from '#shared/assertions/evaluate.ts';
import { REDACTED } from '../masking/mask.ts';
import { SECRET_HEADERS } from '../masking/secret-headers.ts';

/**
 * Outcomes of assertions without the values that they saw of secret headers, or of all headers and
 * the body where the whole response is secret.
 */
export function redactOutcomes(
  outcomes: readonly AssertionOutcome[],
  isResponseSecret: boolean,
): readonly AssertionOutcome[] {
  return outcomes.map((outcome) => {
    const isHeader = outcome.source === 'HEADERS';
    const isSecret = isResponseSecret
      ? isHeader || BODY_SOURCES.has(outcome.source)
      : isHeader && SECRET_HEADERS.has((outcome.property ?? '').trim().toLowerCase());
    if (!isSecret) return outcome;
    const what = isHeader ? `header ${outcome.property}` : 'body';
    const error = outcome.error && `The value of the ${what} is not as asserted`;
    return { ...outcome, error, actual: outcome.actual === null ? null : REDACTED };
  });
}

const BODY_SOURCES: ReadonlySet<string> = new Set(['JSON_BODY', 'TEXT_BODY']);
