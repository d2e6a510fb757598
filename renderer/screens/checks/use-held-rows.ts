import { useRef, useState } from 'react';
import type { ListRow } from '#shared/summaries/check-list.ts';
import type { CheckList } from './use-check-list.ts';

export interface HeldRows {
  rows: readonly ListRow[];
  /** How many checks belong elsewhere than they are shown. */
  waiting: number;
  /** Shows all where they belong. */
  release(): void;
}

/**
 * Holds the rows where they are while somebody is at them: whoever reads or chooses must not have them move below
 * the pointer. What was asked for is shown at once.
 *
 * @param isHeld whether somebody is at the rows now
 */
export function useHeldRows({ rows, asked }: CheckList, isHeld: () => boolean): HeldRows {
  const [, drawAgain] = useState(0);
  const shown = useRef({ rows, asked, of: rows });
  const isOther = shown.current.of !== rows;
  if (isOther && (shown.current.asked !== asked || !isHeld() || isEmpty(shown.current.rows))) {
    shown.current = { rows, asked, of: rows };
  }
  const waiting = shown.current.rows === rows ? 0 : countMoved(shown.current.rows, rows);
  if (waiting === 0) shown.current = { rows, asked, of: rows };
  return {
    rows: shown.current.rows,
    waiting,
    release() {
      shown.current = { rows, asked, of: rows };
      drawAgain((count) => count + 1);
    },
  };
}

const isEmpty = (rows: readonly ListRow[]) => rows.length === 0;

/** Checks that are new, or belong to the top or no more. Those that are gone are seen to be gone. */
function countMoved(shown: readonly ListRow[], wanted: readonly ListRow[]): number {
  const places = new Map(shown.map((row) => [row.key, row.kind === 'check' && row.isBad]));
  return wanted.filter((row) => row.kind === 'check' && places.get(row.key) !== row.isBad).length;
}
