import { CHECK_TRAITS, type CheckType, MAX_MEASURED_PAGES } from '#shared/checks/enums.ts';
import { VITALS } from '#shared/playwright/web-vitals.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import type { RunMetrics } from '#shared/runs/protocol.ts';

/** The metrics that have columns in `results`, m1 to m6; all others stand in `more_metrics`. */
const COLUMNS = 6;

/** Null where a run has no such number. */
export type Numbers = readonly (number | null)[];

/** The metrics of a type in their order. Names that it lacks are left out. */
export function numbersOf(type: CheckType, metrics: RunMetrics): Numbers {
  return CHECK_TRAITS[type].metrics.map((name) => metrics[name] ?? null);
}

/** The columns m1 to m6 of a result. */
export function toColumns(type: CheckType, metrics: RunMetrics): Numbers {
  const names: readonly string[] = CHECK_TRAITS[type].metrics;
  const at = (index: number) => metrics[names[index] ?? ''] ?? null;
  return [at(0), at(1), at(2), at(3), at(4), at(5)];
}

/** What a result has beyond its columns. */
export interface MoreMetrics {
  /** From the seventh metric on. */
  metrics: Numbers;
  /** The web vitals of the second page of a run, and of those after it. */
  laterPages: readonly Numbers[];
}

/** The row of `more_metrics` as text; null where a result needs none. */
export function packMore({ checkType, metrics, laterPages = [] }: StoredResult): string | null {
  if (CHECK_TRAITS[checkType].metrics.length <= COLUMNS) return null;
  const beyond = numbersOf(checkType, metrics).slice(COLUMNS);
  const pages = laterPages
    .slice(0, MAX_MEASURED_PAGES - 1)
    .map((page) => VITALS.map((name) => page[name] ?? null));
  const isEmpty = pages.length === 0 && beyond.every((number) => number === null);
  return isEmpty ? null : JSON.stringify([beyond, ...pages]);
}

/** @throws SyntaxError where the text is none of ours */
export function unpackMore(text: string): MoreMetrics {
  const [metrics = [], ...laterPages] = JSON.parse(text) as Numbers[];
  return { metrics, laterPages };
}
