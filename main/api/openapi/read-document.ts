import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * The OpenAPI document, made in a thread when it is asked for the first time: making it would hold up the runs, and it
 * takes some megabytes that most appliances never need.
 */
export function openapiReader(): () => Promise<string> {
  let reading: Promise<string> | undefined;
  return () => {
    reading ??= readDocument().catch((error: unknown) => {
      // The next request tries again.
      reading = undefined;
      throw error;
    });
    return reading;
  };
}

/** Rejects as the thread fails. */
async function readDocument(): Promise<string> {
  const thread = new Worker(new URL('./document-thread.ts', import.meta.url));
  const [text] = (await once(thread, 'message')) as [string];
  return text;
}
