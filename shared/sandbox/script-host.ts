import type { ScriptOutcome, ScriptTask } from './script.ts';

/**
 * What passes between a runner and its script host, one JSON text a line over the host's standard
 * input and output.
 */

/** A request that a script asks its runner to make. Plain text only. */
export interface ScriptHttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Without it a redirect is the answer. */
  followRedirects: boolean;
}

/** What came of it; the body is text. */
export interface ScriptHttpResponse {
  status: number;
  statusText: string;
  headers: Record<string, string>;
  body: string;
  /** Of the last request, after redirects. */
  url: string;
}

/** What a runner tells its host. */
export type ToHost =
  | { type: 'run'; id: number; task: ScriptTask }
  /** The script runs elsewhere: its outcome here is for nobody. */
  | { type: 'stop'; id: number }
  | { type: 'fetched'; id: number; call: number; response: ScriptHttpResponse; error?: undefined }
  | { type: 'fetched'; id: number; call: number; error: string; response?: undefined };

/** What a host tells its runner. `id` is the task's. */
export type FromHost =
  | { type: 'done'; id: number; outcome: ScriptOutcome }
  | { type: 'fetch'; id: number; call: number; request: ScriptHttpRequest }
  /** A script that has ended computes on and cannot be stopped: the host is to be given up. */
  | { type: 'stuck' };

/** Scripts that one host works on at once. */
export const SCRIPTS_AT_ONCE = 8;
/** Characters of one message: a response of 5 MB at its most escaped. */
export const MAX_MESSAGE_CHARS = 40 * 1024 * 1024;
/** Characters of one call of a script to its host: a request of 5 MB at its most escaped. */
export const MAX_CALL_CHARS = 32 * 1024 * 1024;
/**
 * Characters outside of the texts of a message of a host, and of what a script hands to it: beside
 * the texts themselves these are what reading it costs.
 */
export const MAX_STRUCTURE_CHARS = 64 * 1024;
/** Characters of the headers of a request that a script makes, of its URL and of its method. */
export const MAX_SCRIPT_HEADER_CHARS = 64 * 1024;
export const MAX_SCRIPT_URL_CHARS = 64 * 1024;
export const MAX_SCRIPT_METHOD_CHARS = 100;
/** HTTP requests that one script may make. */
export const MAX_SCRIPT_REQUESTS = 20;
/** Bytes of a body that a script sends or receives. */
export const MAX_SCRIPT_BODY_BYTES = 5 * 1024 * 1024;
/** Lines and characters of log that one script may leave; what is more is cut. */
export const MAX_LOG_LINES = 1_000;
export const MAX_LOG_CHARS = 256 * 1024;

/** Cuts a stream of text into lines, none longer than it may be. */
export class LineReader {
  readonly #maxChars: number;
  #parts: string[] = [];
  #chars = 0;

  constructor(maxChars: number = MAX_MESSAGE_CHARS) {
    this.#maxChars = maxChars;
  }

  /** The lines that a chunk completes; null where a line is too long: the stream is to be given up. */
  push(chunk: string): string[] | null {
    const lines = chunk.split('\n');
    const rest = lines.pop() ?? '';
    const first = lines[0];
    if (first !== undefined) {
      lines[0] = this.#parts.join('') + first;
      this.#parts = [];
      this.#chars = 0;
    }
    this.#parts.push(rest);
    this.#chars += rest.length;
    const tooLong = this.#chars > this.#maxChars || lines.some((l) => l.length > this.#maxChars);
    return tooLong ? null : lines;
  }
}
