import type { Cause, RunFailure } from '#shared/runs/protocol.ts';
import { ChunkedBody } from './chunked-body.ts';
import { type KeepBytes, type KeptBody, OUT_OF_BODY_MEMORY } from './kept-body.ts';
import { framingOf, parseHead, type ResponseHead } from './response-head.ts';

/** Most bytes of all heads of one response together, interim ones included. */
export const MAX_HEAD_BYTES = 64 * 1024;
/** Most bytes of a body on the wire, and again once decoded. */
export const MAX_BODY_BYTES = 25 * 1024 * 1024;

/** Where a response stands after some bytes: it goes on, is complete, or will not do. */
export type ReaderState = 'more' | 'done' | RunFailure;

/** Most interim (1xx) responses before the final one. */
const MAX_INTERIM_RESPONSES = 10;

const failure = (cause: Cause, message: string): RunFailure => ({ cause, message });
const TOO_LARGE_BODY = failure(
  'TOO_LARGE',
  `The response body is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB`,
);

/**
 * Reads one HTTP/1.x response from the bytes of a connection, in whatever pieces they come. Strict
 * where leniency hides a fault (lengths, chunk sizes, field names), bounded in all that it keeps.
 *
 * It stands in for http-parser-js, which takes 4 s for a header line of 64 KB of spaces, drops the
 * high bit of header bytes and takes a broken chunk size for the end of the body (measured).
 */
export class ResponseReader {
  /** The final head; null until it is there. */
  head: ResponseHead | null = null;
  bodyBytes = 0;

  readonly #method: string;
  readonly #kept: KeptBody;
  readonly #keepBytes: KeepBytes;
  #keepLimit = 0;
  #isOutOfMemory = false;
  #headBytes: Buffer | null = null;
  #headBytesTaken = 0;
  #interimResponses = 0;
  #sizeLeft = 0;
  #chunks: ChunkedBody | null = null;
  #body: 'none' | 'sized' | 'chunked' | 'untilClose' = 'none';

  /**
   * @param kept where the body goes as it comes, content coding still on
   * @param keepBytes how much of it
   */
  constructor(method: string, kept: KeptBody, keepBytes: KeepBytes) {
    this.#method = method;
    this.#kept = kept;
    this.#keepBytes = keepBytes;
  }

  push(bytes: Buffer): ReaderState {
    return this.head === null ? this.#takeHead(bytes) : this.#takeBody(bytes);
  }

  /** The peer will send no more. */
  end(): ReaderState {
    if (this.head === null) {
      return failure('CONNECTION_RESET', 'The connection was closed before a response came');
    }
    if (this.#body === 'untilClose') return 'done';
    return failure(
      'CONNECTION_RESET',
      `The connection was closed in the middle of the response body, after ${this.bodyBytes} bytes`,
    );
  }

  #takeHead(bytes: Buffer): ReaderState {
    const all = this.#headBytes === null ? bytes : Buffer.concat([this.#headBytes, bytes]);
    // The end may lie across two pieces: look again at the last three bytes of the one before.
    const end = findHeadEnd(all, Math.max(0, (this.#headBytes?.length ?? 0) - 3));
    this.#headBytes = all;
    const headLength = end?.start ?? all.length;
    if (this.#headBytesTaken + headLength > MAX_HEAD_BYTES) {
      return failure('TOO_LARGE', `The response header is larger than ${MAX_HEAD_BYTES} bytes`);
    }
    if (!startsLikeHttp(all)) return failure('PROTOCOL_ERROR', 'The answer is not HTTP');
    if (end === null) return 'more';
    this.#headBytes = null;
    this.#headBytesTaken += headLength;
    return this.#useHead(parseHead(all.toString('latin1', 0, end.start)), all.subarray(end.stop));
  }

  #useHead(head: ResponseHead | null, rest: Buffer): ReaderState {
    if (head === null) return failure('PROTOCOL_ERROR', 'The response header is malformed');
    // Interim responses come before the final one (RFC 9110 15.2); 101 is final for us.
    if (head.status < 200 && head.status !== 101) {
      if (++this.#interimResponses > MAX_INTERIM_RESPONSES) {
        return failure('PROTOCOL_ERROR', 'Too many interim responses');
      }
      return rest.length === 0 ? 'more' : this.#takeHead(rest);
    }
    this.head = head;
    this.#keepLimit = this.#keepBytes(head);
    const framing = framingOf(head, this.#method);
    if (framing.kind === 'malformed') {
      return failure('PROTOCOL_ERROR', 'The length of the response is malformed');
    }
    if (framing.kind === 'sized') {
      if (framing.length > MAX_BODY_BYTES) return TOO_LARGE_BODY;
      this.#sizeLeft = framing.length;
    }
    this.#body = framing.kind;
    return this.#takeBody(rest);
  }

  #takeBody(bytes: Buffer): ReaderState {
    const state = this.#readBody(bytes);
    return this.#isOutOfMemory ? OUT_OF_BODY_MEMORY : state;
  }

  #readBody(bytes: Buffer): ReaderState {
    if (this.#body === 'none') return 'done';
    if (this.#body === 'chunked') return this.#takeChunks(bytes);
    if (this.#body === 'untilClose') {
      this.#addToBody(bytes);
      return this.bodyBytes > MAX_BODY_BYTES ? TOO_LARGE_BODY : 'more';
    }
    // What follows the length announced belongs to no response of ours.
    const content = bytes.subarray(0, this.#sizeLeft);
    this.#sizeLeft -= content.length;
    this.#addToBody(content);
    return this.#sizeLeft === 0 ? 'done' : 'more';
  }

  #takeChunks(bytes: Buffer): ReaderState {
    this.#chunks ??= new ChunkedBody((content) => this.#addToBody(content));
    const state = this.#chunks.push(bytes);
    if (this.bodyBytes > MAX_BODY_BYTES) return TOO_LARGE_BODY;
    if (state !== 'malformed') return state;
    return failure('PROTOCOL_ERROR', 'The chunked coding of the response is malformed');
  }

  #addToBody(content: Buffer): void {
    this.bodyBytes += content.length;
    if (!this.#kept.add(content, this.#keepLimit)) this.#isOutOfMemory = true;
  }
}

const HTTP = Buffer.from('HTTP/');

function startsLikeHttp(bytes: Buffer): boolean {
  const length = Math.min(HTTP.length, bytes.length);
  return bytes.compare(HTTP, 0, length, 0, length) === 0;
}

/** The empty line that closes a head: where the head stops and where what follows starts. */
function findHeadEnd(bytes: Buffer, from: number): { start: number; stop: number } | null {
  for (let at = bytes.indexOf(0x0a, from); at !== -1; at = bytes.indexOf(0x0a, at + 1)) {
    if (bytes[at + 1] === 0x0a) return { start: at, stop: at + 2 };
    if (bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a) return { start: at, stop: at + 3 };
  }
  return null;
}
