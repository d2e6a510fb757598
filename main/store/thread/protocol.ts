import type { StoreErrorCode } from '../store-error.ts';

/** What a store's thread can be asked: for each call, what it takes and what it answers. */
export type Calls = Record<string, { takes: unknown; answers: unknown }>;

/** The names of a thread's calls. */
export type CallName<C extends Calls> = keyof C & string;

/** From the main thread: one call. */
export interface Request {
  id: number;
  call: string;
  payload: unknown;
}

/** To the main thread. The first message is whether the thread could open what it keeps. */
export type Message =
  | { kind: 'opened'; value: unknown }
  | { kind: 'refused'; message: string }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; code: StoreErrorCode; message: string }
  /** For the log: what no caller waits for. */
  | { kind: 'notice'; message: string; fields: Record<string, string | number> };
