import { useRef, useState } from 'react';
import type { ShownAlert } from './queries.ts';

interface HeldAlerts {
  alerts: readonly ShownAlert[];
  /** How many are new and not shown yet. */
  fresh: number;
  release(): void;
}

/**
 * Keeps new alerts back while somebody is at the list, so that nothing moves below the pointer.
 *
 * @param of what was asked for: another question is answered at once
 */
export function useHeldAlerts(
  all: readonly ShownAlert[],
  of: string,
  isHeld: () => boolean,
): HeldAlerts {
  const [, drawAgain] = useState(0);
  const top = useRef({ of, id: all[0]?.id });
  const at = all.findIndex(({ id }) => id === top.current.id);
  const isSame = top.current.of === of && at >= 0;
  if (!isSame || at === 0 || !isHeld()) top.current = { of, id: all[0]?.id };
  const fresh = top.current.id === all[0]?.id ? 0 : at;
  return {
    alerts: fresh === 0 ? all : all.slice(fresh),
    fresh,
    release() {
      top.current = { of, id: all[0]?.id };
      drawAgain((count) => count + 1);
    },
  };
}
