import type { ViewShape } from './view-check.ts';

/** The versions that checks are read in, and what each shows (contract A.2 "CheckRead"). */
export const READ_VERSIONS: readonly { version: string; shape: ViewShape }[] = [
  { version: 'v1', shape: 'v1' },
  { version: 'v2', shape: 'v2' },
  { version: 'v3', shape: 'v3' },
];
