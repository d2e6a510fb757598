import type { HeartbeatState } from '#shared/checks/enums.ts';
import { isPassing } from '#shared/checks/heartbeat-rules.ts';

/**
 * The FINAL results of a check that count, or the events of a heartbeat, in columns, oldest first: what analytics are made of. All
 * columns have the same length.
 */
export interface Samples {
  /** Epoch ms at which each was settled. */
  at: Float64Array;
  /** 1 where it failed. */
  failed: Uint8Array;
  /** Retries before it. */
  retries: Uint8Array;
  /** Keys of `locationNames`. */
  locations: Uint32Array;
  /** HTTP status codes; 0 where there is none. */
  statusCodes: Uint16Array;
  /** By base metric; NaN where a result has no such number. */
  values: Readonly<Record<string, Float64Array>>;
  locationNames: ReadonlyMap<number, string>;
  /** Where a report is to be grouped by the pages of runs. */
  pages?: PageSamples;
}

/** The pages of the runs of a browser check; the web vitals of the first one are among the values. */
export interface PageSamples {
  /** Of the second page and of those after it: columns by web vital, NaN where a run has no such number. */
  later: readonly Readonly<Record<string, Float64Array>>[];
  /** The addresses of the pages in the last run of the time; fewer where it is not known. */
  urls: readonly (string | null)[];
}

/** @param events oldest first; `at` in epoch ms */
export function eventSamples(events: readonly { at: number; state: HeartbeatState }[]): Samples {
  return {
    at: Float64Array.from(events, ({ at }) => at),
    failed: Uint8Array.from(events, ({ state }) => Number(!isPassing(state))),
    retries: new Uint8Array(events.length),
    locations: new Uint32Array(events.length),
    statusCodes: new Uint16Array(events.length),
    values: {},
    locationNames: new Map(),
  };
}
