/** Which sessions of a batch are shown; without one of these all. */
export const SHOWN = ['failed', 'open', 'passed'] as const;
export type Shown = (typeof SHOWN)[number];
