import { readFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Response } from 'express';
import { Yielding } from '#main/platform/yielding.ts';
import type { EventSink } from '#main/services/live-events.ts';
import { notFound } from '#main/services/service-error.ts';
import type { PublishedDocument } from '#main/status-pages/status-pages-port.ts';
import type { Reply, SentFile } from '../operation.ts';
import type { ServedFile } from '../ui/ui-files.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends what a handler answered, with the status of its operation. */
export async function send(response: Response, status: number, reply: Reply): Promise<void> {
  response.status(status).set(reply.headers ?? {});
  const { content } = reply;
  if (content === undefined) response.end();
  else if ('json' in content) response.json(content.json);
  else if ('text' in content) response.type(content.type).send(content.text);
  else if ('document' in content) sendDocument(response, content.document);
  else if ('file' in content) await sendFile(response, content.file);
  else if ('stream' in content) sendStream(response, content.stream);
  else if ('streamed' in content) await sendStreamed(response, content.streamed, reply.headers);
  else if ('parts' in content) sendParts(response, content.parts);
  else if ('pieces' in content || 'bytes' in content) {
    response.set('content-type', content.type).vary('accept-encoding');
    const to = takesGzip(response) ? zipped(response) : response;
    if ('bytes' in content) await sendBytes(to, content.bytes);
    else await sendPieces(to, content.pieces);
  } else {
    response.set('content-type', JSON_TYPE);
    await sendPieces(response, itemPieces(content));
  }
}

/** Express answers 304 to whoever has the tag, and HEAD without the bytes. */
function sendDocument(response: Response, { bytes, gzip, type, etag }: PublishedDocument): void {
  const isZipped = takesGzip(response);
  response.set({ etag, 'content-type': type }).vary('accept-encoding');
  if (isZipped) response.set('content-encoding', 'gzip');
  response.send(isZipped ? gzip : bytes);
}

function takesGzip({ req }: Response): boolean {
  return req.acceptsEncodings('gzip', 'identity') === 'gzip';
}

/** Compresses in other threads what is written to it, quickly rather than well, and sends it. */
function zipped(response: Response): Writable {
  response.set('content-encoding', 'gzip');
  const gzip = createGzip({ level: 1 });
  gzip.on('error', (error) => response.destroy(error)).pipe(response);
  response.once('close', () => gzip.destroy());
  return gzip;
}

/** Server-sent events: nothing between us and the client may hold them back. */
function sendStream(response: Response, open: (sink: EventSink) => () => void): void {
  response.set({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  const stop = open({
    write: (text) => void response.write(text),
    get waitingBytes() {
      return response.writableLength;
    },
    end: () => void response.end(),
  });
  response.once('close', stop);
}

const ENDINGS = { br: '.br', gzip: '.gz', identity: '' } as const;

async function sendFile(response: Response, { path, type, isCompressed }: ServedFile) {
  const accepted = response.req.acceptsEncodings('br', 'gzip', 'identity');
  const encoding = (isCompressed && accepted) || 'identity';
  const bytes = await readFile(path + ENDINGS[encoding as keyof typeof ENDINGS]);
  response.set('content-type', type).vary('accept-encoding');
  if (encoding !== 'identity') response.set('content-encoding', encoding);
  response.send(bytes);
}

/** A client that takes nothing for so long is cut off: others wait for its place. */
const STALLED_MS = 60_000;

/** What is at the path never changes, and is held by no cache. */
const FILE_OPTIONS = {
  dotfiles: 'allow',
  cacheControl: false,
  etag: false,
  lastModified: false,
} as const;

async function sendStreamed(
  response: Response,
  file: SentFile,
  headers: Record<string, string> = {},
): Promise<void> {
  using _file = file;
  const { promise, resolve } = Promise.withResolvers<FileError | undefined>();
  response.setTimeout(STALLED_MS, () => response.destroy());
  response.sendFile(file.path, FILE_OPTIONS, (error) => resolve(error as FileError | undefined));
  const error = await promise;
  // Whoever hung up needs no answer.
  if (error === undefined || response.headersSent || response.destroyed) return;
  for (const name of Object.keys(headers)) response.removeHeader(name);
  if (error.status === 404 || error.code === 'EISDIR')
    throw notFound('The file is not there any more.');
  if (error.status !== 416) throw error;
  response
    .status(416)
    .set(error.headers ?? {})
    .end();
}

/** Of a file that is not there, is a folder, or has no such range. */
interface FileError extends Error {
  status?: number;
  code?: string;
  headers?: Record<string, string>;
}

/** Bytes from which it is worth to compress: far away, those that are saved take longer than compressing them. */
const ZIPPED_FROM = 8 * 1024;

function sendParts(response: Response, parts: readonly Uint8Array[]): void {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  response.set('content-type', JSON_TYPE).vary('accept-encoding');
  const isZipped = length >= ZIPPED_FROM && takesGzip(response);
  if (!isZipped) response.set('content-length', String(length));
  const to = isZipped ? zipped(response) : response;
  for (const part of parts) to.write(part);
  to.end();
}

/** Characters that are written at once. */
const SLICE_LENGTH = 64 * 1024;

type Items = Extract<Reply['content'], { items: unknown }>;

/** A JSON array of any length, item by item. */
async function* itemPieces({ items, member }: Items): AsyncGenerator<string> {
  const [start, end] = member === undefined ? ['[', ']'] : [`{${JSON.stringify(member)}:[`, ']}'];
  let separator = start;
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',';
  }
  yield separator === start ? start + end : end;
}

/**
 * A text of any length, written in slices, and made at a pace that never holds up the actors. One
 * that fits a slice is sent whole, with its length.
 */
async function sendPieces(
  to: Writable,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  let slice = '';
  const pace = new Yielding();
  for await (const piece of pieces) {
    slice += piece;
    const isFull = slice.length >= SLICE_LENGTH;
    if (!isFull && !pace.isDue) continue;
    if (isFull) {
      if (!to.write(slice)) await drained(to);
      slice = '';
    }
    await pace.rest();
    if (to.destroyed) return;
  }
  to.end(slice);
}

/** Bytes of pieces that may wait for the client: whoever made them holds them anyway. */
const MAX_WAITING_BYTES = 512 * 1024;

/** As {@link sendPieces}: one piece alone is sent with its length. */
async function sendBytes(to: Writable, pieces: Iterable<Buffer>): Promise<void> {
  let held: Buffer | undefined;
  const pace = new Yielding();
  for (const piece of pieces) {
    if (held !== undefined && !to.write(held) && to.writableLength > MAX_WAITING_BYTES) {
      await drained(to);
    }
    held = piece;
    if (pace.isDue) await pace.rest();
    if (to.destroyed) return;
  }
  to.end(held);
}

/** Waits until the client has taken what was written, or is gone. */
async function drained(to: Writable): Promise<void> {
  if (to.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  to.once('drain', resolve).once('close', resolve);
  await promise;
  to.off('drain', resolve).off('close', resolve);
}
