import { text } from '#renderer/messages/messages.ts';
import { span } from '#renderer/parts/format.ts';
import type { CheckState } from '#shared/summaries/check-state.ts';
import type { CheckSummary } from '#shared/summaries/check-summary.ts';

type Counts = Record<CheckState, number>;

const { headline, since, more, alsoStates } = text.checks;

/** What is wrong, in one sentence. */
export function headlineOf(counts: Counts): string {
  const { failing, degraded, passing } = counts;
  const total = totalOf(counts);
  if (failing > 0) return headline.failing(failing, total);
  if (degraded > 0) return headline.degraded(degraded, total);
  return passing === total ? headline.passing(total) : headline.quiet(total);
}

const MAX_NAMED = 2;

/** Which checks, since when, and how the others are; undefined where there is no more to say. */
export function detailOf(
  checks: readonly CheckSummary[],
  counts: Counts,
  now: number,
): string | undefined {
  const worst = counts.failing > 0 ? 'failing' : 'degraded';
  const bad = checks
    .filter(({ state }) => state === worst)
    .toSorted((one, other) => (other.since ?? 0) - (one.since ?? 0));
  const named = bad
    .slice(0, MAX_NAMED)
    .map((check) =>
      check.since === null ? check.name : since(check.name, span(now - check.since)),
    );
  const names = [...named, ...(bad.length > MAX_NAMED ? [more(bad.length - MAX_NAMED)] : [])];
  const others = (['degraded', 'inconclusive', 'pending', 'paused'] as const)
    .filter((state) => counts[state] > 0 && !(state === worst))
    .map((state) => alsoStates[state](counts[state]));
  const sentences = [names.join(', '), others.join(', ')].filter((part) => part !== '');
  return sentences.length > 0 ? `${sentences.join('. ')}.` : undefined;
}

function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
