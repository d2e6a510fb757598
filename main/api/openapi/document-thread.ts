import { parentPort } from 'node:worker_threads';
import { VERSION } from '#main/platform/version.ts';
import { OPERATIONS } from '../operations.ts';
import { openapiOf } from './document.ts';

/** Makes the document, answers it as JSON text and ends. */
parentPort?.postMessage(JSON.stringify(openapiOf(OPERATIONS, VERSION)));
