import { workerData } from 'node:worker_threads';
import type { BrowserRunnerData, RunnerData } from '#shared/runs/protocol.ts';
import { Cages } from './cages.ts';

/** What this thread was started with; null in a thread that runs no browsers. */
export const OWN_BROWSER_DATA: BrowserRunnerData | null =
  (workerData as RunnerData | null)?.browser ?? null;

/** The cages that all runners of this thread share; null in a thread that runs no browsers. */
export const OWN_CAGES: Cages | null = OWN_BROWSER_DATA && new Cages(OWN_BROWSER_DATA);
