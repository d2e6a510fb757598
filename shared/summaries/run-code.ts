import type { RunState } from './check-state.ts';

/**
 * A run in two characters, so that the last 40 of 10,000 checks are one small answer: its state, and how long
 * it took on a logarithmic scale, give or take 7 %, which is less than a pixel of its bar.
 */
export interface CodedRun {
  state: RunState;
  /** Milliseconds. */
  responseTime: number;
}

const LETTERS = { passing: 'p', degraded: 'd', failing: 'f', inconclusive: 'i' } as const;
const STATES = { p: 'passing', d: 'degraded', f: 'failing', i: 'inconclusive' } as const;

/** From `#` on, without the backslash, which JSON would double. */
const FIRST_CODE = 35;
const BACKSLASH = 92;
const LEVELS = 90;
/** Longer ones count as this. */
const MOST_MS = 130_000;
const STEP = Math.log(MOST_MS + 1) / LEVELS;

export function codeRun({ state, responseTime }: CodedRun): string {
  const ms = Math.min(Math.max(responseTime, 0), MOST_MS);
  const code = FIRST_CODE + Math.round(Math.log(ms + 1) / STEP);
  return LETTERS[state] + String.fromCharCode(code >= BACKSLASH ? code + 1 : code);
}

/** The runs of a text of codes, in its order; what is none of ours is passed over. */
export function readRuns(codes: string): CodedRun[] {
  const runs: CodedRun[] = [];
  for (let at = 0; at + 1 < codes.length; at += 2) {
    const state = STATES[codes.charAt(at) as keyof typeof STATES];
    const code = codes.charCodeAt(at + 1);
    const level = (code > BACKSLASH ? code - 1 : code) - FIRST_CODE;
    if (state !== undefined) runs.push({ state, responseTime: Math.exp(level * STEP) - 1 });
  }
  return runs;
}

/** Most runs of a text. */
export const MAX_RUNS = 40;

/** A text of codes with one run more, the oldest gone. */
export function appendRun(codes: string, run: string): string {
  return (codes + run).slice(-2 * MAX_RUNS);
}
