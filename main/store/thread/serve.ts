import { flushCompileCache } from 'node:module';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { StartupError } from '#main/platform/startup-error.ts';
import { StoreError, type StoreErrorCode } from '../store-error.ts';
import { JsonAnswer } from './json-answer.ts';

/** From the main thread: one call of a method. */
export interface Request {
  id: number;
  method: string;
  args: readonly unknown[];
}

/** To the main thread. The first message but for parts is whether the thread could open what it keeps. */
export type Message =
  /** Before it is open: some of what it opens. */
  | { kind: 'part'; part: unknown }
  | { kind: 'opened'; value: unknown; methods: readonly string[] }
  | { kind: 'refused'; message: string }
  | { kind: 'answer'; id: number; value: unknown; isJson: boolean }
  | { kind: 'failure'; id: number; code: StoreErrorCode; message: string }
  /** For the log: what no caller waits for. */
  | { kind: 'notice'; message: string; fields: Record<string, string | number> };

/** Sends a line to the log of the main thread. */
export type Notify = (message: string, fields: Record<string, string | number>) => void;

/** Hands some of what the thread opens to whoever started it. */
type Hand = (part: unknown) => void;

/** What a thread has opened. */
interface Opened {
  /** For whoever started the thread. */
  value: unknown;
  /** Objects of classes, whose methods answer the calls; no two have one of the same name. */
  handlers: readonly object[];
}

type Method = (...args: readonly unknown[]) => unknown;

/**
 * Runs the thread's side: opens what it keeps, then answers calls until the main thread ends it.
 * @param open a StartupError that it throws reaches whoever started the thread as one
 * @param toStoreError how the caller gets whatever a method throws
 */
export async function serve(
  open: (notify: Notify, hand: Hand) => Promise<Opened>,
  toStoreError: (error: unknown) => StoreError = internalError,
): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('A store thread was started outside a worker thread.');
  const post = (message: Message) => port.postMessage(message);
  try {
    const { value, handlers } = await open(
      (message, fields) => post({ kind: 'notice', message, fields }),
      (part) => post({ kind: 'part', part }),
    );
    const methods = new Map(handlers.flatMap(methodsOf));
    port.on('message', async ({ id, method, args }: Request) => {
      try {
        answer(port, id, await (methods.get(method) as Method)(...args));
      } catch (error) {
        const { code, message } = toStoreError(error);
        post({ kind: 'failure', id, code, message });
      }
    });
    post({ kind: 'opened', value, methods: [...methods.keys()] });
    flushCompileCache();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    post({ kind: 'refused', message: error.message });
  }
}

function methodsOf(handler: object): [string, Method][] {
  const members = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(handler));
  return Object.entries(members).flatMap(([name, { value }]): [string, Method][] =>
    typeof value === 'function' && name !== 'constructor' ? [[name, value.bind(handler)]] : [],
  );
}

function answer(port: MessagePort, id: number, answered: unknown): void {
  const isJson = answered instanceof JsonAnswer;
  const value = isJson ? answered.text : answered;
  port.postMessage({ kind: 'answer', id, value, isJson } satisfies Message, buffersOf(value));
}

function internalError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('INTERNAL', (error as Error).stack ?? String(error), { cause: error });
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
