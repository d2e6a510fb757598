import { statusWord } from './check-status.ts';

/** Where a check or a group stands, as people without a key see it; of several, the first one is told of all. */
export const STANDINGS = ['failing', 'degraded', 'passing', 'unknown', 'paused'] as const;
export type Standing = (typeof STANDINGS)[number];

/**
 * A check that is off, or in a group that is, is paused. One without a result is unknown, and so is one
 * whose last run says nothing of its target.
 */
export function standingOf(
  check: { activated: boolean },
  group: { activated: boolean } | undefined,
  status: Parameters<typeof statusWord>[0] | undefined,
): Standing {
  if (!check.activated || group?.activated === false) return 'paused';
  const word = status === undefined ? 'inconclusive' : statusWord(status);
  return word === 'inconclusive' ? 'unknown' : word;
}

/**
 * The worst of several; unknown where there is none. One that is unknown counts only where no other is
 * known: a heartbeat that waits for its first ping must not hide where the others stand.
 */
export function worstStanding(states: readonly Standing[]): Standing {
  return STANDINGS.find((state) => states.includes(state)) ?? 'unknown';
}
