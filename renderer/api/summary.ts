import { applyEvents, type KnownChecks, knownFrom } from '#shared/summaries/apply-events.ts';
import { countStates } from '#shared/summaries/check-list.ts';
import type { CheckState } from '#shared/summaries/check-state.ts';
import type { AppSummary } from '#shared/summaries/check-summary.ts';
import type { LiveEvent } from '#shared/summaries/live-event.ts';
import { createStore, useStore } from './store.ts';

/** All checks in a few words and numbers, kept up to date by live events. */
export type SummaryState =
  | { kind: 'loading' }
  | { kind: 'failed'; error: Error }
  | { kind: 'ready'; known: KnownChecks; counts: Record<CheckState, number> };

export const summaryStore = createStore<SummaryState>({ kind: 'loading' });

/** Events that came while the summary was on its way. */
let waiting: LiveEvent[] = [];

/** It was read, for the first time or anew. */
export function showSummary({ checks, groups }: AppSummary): void {
  const before = summaryStore.get();
  const known = knownFrom({ checks, groups }, before.kind === 'ready' ? before.known : undefined);
  show(applyEvents(known, waiting));
  waiting = [];
}

/** What was shown stays: it could only not be read anew. */
export function failSummary(error: Error): void {
  if (summaryStore.get().kind !== 'ready') summaryStore.set({ kind: 'failed', error });
}

export function tellSummary(events: readonly LiveEvent[]): void {
  const before = summaryStore.get();
  if (before.kind !== 'ready') waiting.push(...events);
  else {
    const known = applyEvents(before.known, events);
    if (known !== before.known) show(known);
  }
}

/** Nobody is signed in any more. */
export function forgetSummary(): void {
  waiting = [];
  summaryStore.set({ kind: 'loading' });
}

function show(known: KnownChecks): void {
  const before = summaryStore.get();
  const isSame = before.kind === 'ready' && before.known.layout === known.layout;
  const counts = isSame ? before.counts : countStates(known.checks.values());
  summaryStore.set({ kind: 'ready', known, counts });
}

/** All checks, drawn again with each message of live events: twice a second at most. */
export function useSummary(): SummaryState {
  return useStore(summaryStore);
}
