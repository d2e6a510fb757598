/** One piece of background work, done in a transaction; true while there is more of it. */
export type Slice = () => boolean;

/** Narrow rows that one slice removes: some 10 ms during which a write waits. */
export const SLICE_ROWS = 500;

/** Whether a slice removed as much as it may, so that there may be more. */
export function isFull(rows: number): boolean {
  return rows >= SLICE_ROWS;
}
