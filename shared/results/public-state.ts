import type { KeptStatus } from './check-status.ts';
import { statusWord } from './check-status.ts';

/** What people without a key see of a check or a group; the first one among several is told of all. */
export const PUBLIC_STATES = ['failing', 'degraded', 'passing', 'unknown', 'paused'] as const;
export type PublicState = (typeof PUBLIC_STATES)[number];

/** A check without a result, and one whose last run says nothing of its target, is unknown. */
export function publicStateOf(
  { activated }: { activated: boolean },
  status: KeptStatus | undefined,
): PublicState {
  if (!activated) return 'paused';
  const word = status === undefined ? 'inconclusive' : statusWord(status);
  return word === 'inconclusive' ? 'unknown' : word;
}

/**
 * The worst of several; unknown where there is none. One that is unknown counts only where no other is
 * known: a heartbeat that waits for its first ping must not hide where the others stand.
 */
export function worstState(states: readonly PublicState[]): PublicState {
  return PUBLIC_STATES.find((state) => states.includes(state)) ?? 'unknown';
}
