import type { Socket } from 'node:net';
import type { Deadline } from '../net/deadline.ts';
import type { Marks } from '../net/dial.ts';
import { type NetworkFailure, socketFailure } from '../net/failure.ts';
import { abandon, listen } from '../net/listeners.ts';
import type { KeepBytes, KeptBody } from './kept-body.ts';
import { fieldsOf, type HttpRequest } from './request.ts';
import type { ResponseHead } from './response-head.ts';
import { type ReaderState, ResponseReader } from './response-reader.ts';

/** A complete response, its content coding still on. */
export interface HttpResponse extends ResponseHead {
  /** The body as it came, or the start of it that was worth keeping. */
  body: Buffer;
  /** Of the whole body, as it came. */
  bodyBytes: number;
}

/** Where the body of a response goes, in place of the one before it, and how much of it. */
export interface BodyKeeping {
  kept: KeptBody;
  keepBytes: KeepBytes;
}

export type Exchanged =
  | { response: HttpResponse; failure?: undefined }
  | { failure: NetworkFailure; response?: undefined };

/** How long a connection may outlive its response. */
const LINGER_MS = 1_000;

/**
 * Sends a request over a fresh connection and reads the one response, before the deadline. Sets
 * `respondedAt` at the first byte and `endedAt` at the last, and disposes of the socket.
 */
export function exchange(
  socket: Socket,
  request: HttpRequest,
  { kept, keepBytes }: BodyKeeping,
  deadline: Deadline,
  marks: Marks,
): Promise<Exchanged> {
  return new Promise((resolve) => {
    kept.release();
    const reader = new ResponseReader(request.method, kept, keepBytes);
    const finishExchange = (state: Exclude<ReaderState, 'more'> | NetworkFailure) => {
      marks.endedAt = performance.now();
      deadline.leave();
      stopListening();
      if (state === 'done' && !socket.readableEnded) linger(socket);
      else abandon(socket);
      resolve(outcome(state, reader, kept));
    };
    const advance = (state: ReaderState) => {
      if (state !== 'more') finishExchange(state);
    };
    const takeBytes = (bytes: Buffer) => {
      if (marks.respondedAt === null) {
        marks.respondedAt = performance.now();
        deadline.enter('DOWNLOAD', finishExchange);
      }
      advance(reader.push(bytes));
    };
    const stopListening = listen(socket, {
      data: takeBytes,
      end: () => advance(reader.end()),
      close: () => advance(reader.end()),
      error: (error) => finishExchange(socketFailure(error, request.url.host)),
    });
    deadline.enter('RESPONSE', finishExchange);
    send(socket, request);
  });
}

function outcome(
  state: Exclude<ReaderState, 'more'> | NetworkFailure,
  { head, bodyBytes }: ResponseReader,
  { bytes }: KeptBody,
): Exchanged {
  if (state !== 'done') return { failure: { code: state.cause, ...state } };
  if (head === null) throw new Error('A response was complete without its head');
  return { response: { ...head, body: bytes, bodyBytes } };
}

function send(socket: Socket, request: HttpRequest): void {
  const { method, url, body } = request;
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\n`;
  for (const [name, value] of fieldsOf(request)) head += `${name}: ${value}\r\n`;
  head += '\r\n';
  if (body === '') {
    socket.write(head, 'latin1');
    return;
  }
  socket.cork();
  socket.write(head, 'latin1');
  socket.write(body, 'utf8');
  socket.uncork();
}

/**
 * Leaves the last word to the server, which we asked to close: the side that closes first keeps the
 * port in TIME_WAIT for a minute, and at a thousand runs a second ours would run out. A server that
 * says anything more, or does not close in time, is cut off.
 */
function linger(socket: Socket): void {
  const close = () => abandon(socket);
  listen(socket, { error: close, data: close, end: close, timeout: close });
  socket.setTimeout(LINGER_MS);
}
