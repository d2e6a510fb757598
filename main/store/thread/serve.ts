import { flushCompileCache } from 'node:module';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { StartupError } from '#main/platform/startup-error.ts';
import { StoreError } from '../store-error.ts';
import type { CallName, Calls, Message, Request } from './protocol.ts';

/** What answers each call of a thread. Whatever it throws reaches the caller as a StoreError. */
export type Handlers<C extends Calls> = {
  [K in CallName<C>]: (payload: C[K]['takes']) => C[K]['answers'] | Promise<C[K]['answers']>;
};

/** Sends a line to the log of the main thread. */
export type Notify = (message: string, fields: Record<string, string | number>) => void;

/**
 * Runs the thread's side: opens what it keeps, then answers calls until the main thread ends it.
 * @param open answers the value for whoever started the thread, and the handlers; a StartupError
 *   that it throws reaches that caller as one.
 */
export async function serve<C extends Calls, O>(
  open: (notify: Notify) => Promise<{ value: O; handlers: Handlers<C> }>,
): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('A store thread was started outside a worker thread.');
  try {
    const { value, handlers } = await open((message, fields) => {
      post(port, { kind: 'notice', message, fields });
    });
    port.on('message', (request: Request) => answer(port, handlers, request));
    post(port, { kind: 'opened', value });
    flushCompileCache();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    post(port, { kind: 'refused', message: error.message });
  }
}

async function answer<C extends Calls>(
  port: MessagePort,
  handlers: Handlers<C>,
  { id, call, payload }: Request,
): Promise<void> {
  try {
    const value = await handlers[call as CallName<C>](payload);
    port.postMessage({ kind: 'answer', id, value } satisfies Message, buffersOf(value));
  } catch (error) {
    const { code, message } = asStoreError(error);
    post(port, { kind: 'failure', id, code, message });
  }
}

function asStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('INTERNAL', (error as Error).stack ?? String(error), { cause: error });
}

function post(port: MessagePort, message: Message): void {
  port.postMessage(message);
}

/** Bytes at the top of an answer are handed over, not copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  // The members of a text are its characters, of which there may be more than can be listed.
  if (typeof value !== 'object' || value === null) return [];
  const parts = value instanceof Uint8Array ? [value] : Object.values(value);
  return parts
    .filter((part): part is Uint8Array<ArrayBuffer> => part instanceof Uint8Array)
    .map(({ buffer }) => buffer);
}
