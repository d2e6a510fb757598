import { parentPort, workerData } from 'node:worker_threads';
import { parseScript } from './parse.ts';

/** Parses one script and ends. */
parentPort?.postMessage(parseScript((workerData as { code: string }).code));
