import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { RunFailure } from '#shared/runs/protocol.ts';
import type { Slots } from '../net/slots.ts';
import type { HttpResponse } from './exchange.ts';
import { MAX_BODY_BYTES } from './response-reader.ts';

const BOUND = { maxOutputLength: MAX_BODY_BYTES };
const gunzipBytes = promisify(gunzip);
const inflateBytes = promisify(inflate);
const inflateRawBytes = promisify(inflateRaw);
const unbrotliBytes = promisify(brotliDecompress);

type Decoder = (bytes: Buffer) => Promise<Buffer>;

/** Content codings (RFC 9110 8.4.1). `deflate` is met with and without its zlib header. */
const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', (bytes) => gunzipBytes(bytes, BOUND)],
  ['x-gzip', (bytes) => gunzipBytes(bytes, BOUND)],
  ['br', (bytes) => unbrotliBytes(bytes, BOUND)],
  [
    'deflate',
    (bytes) =>
      ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateBytes(bytes, BOUND) : inflateRawBytes(bytes, BOUND),
  ],
]);

const MAX_CODINGS = 5;

/**
 * The body with its content codings taken off, of at most 25 MB at every step: TOO_LARGE beyond,
 * PROTOCOL_ERROR where the coding is broken. A coding that we do not know stays on. What a body
 * grows to shows only while it is decoded, so `decoders` bounds how many grow at once.
 */
export async function decodeBody(
  response: HttpResponse,
  decoders: Slots,
): Promise<{ bytes: Buffer; failure?: undefined } | { failure: RunFailure }> {
  let bytes = response.body;
  const coding = response.headers['content-encoding'];
  if (coding === undefined || bytes.length === 0) return { bytes };
  for (const name of coding.toLowerCase().split(',').slice(0, MAX_CODINGS).reverse()) {
    const decode = DECODERS.get(name.trim());
    if (!decode) return { bytes };
    const coded = bytes;
    try {
      bytes = await decoders.use(() => decode(coded));
    } catch (error) {
      return { failure: decodingFailure(error, name.trim()) };
    }
  }
  return { bytes };
}

function decodingFailure(error: unknown, coding: string): RunFailure {
  const { code, errno } = error as NodeJS.ErrnoException;
  if (code === 'ERR_BUFFER_TOO_LARGE') {
    const message = `The decoded response body is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB`;
    return { cause: 'TOO_LARGE', message };
  }
  // Errors of the decoders themselves carry a number; anything else is our own fault.
  if (typeof errno !== 'number') throw new Error(`Decoding ${coding} broke`, { cause: error });
  return {
    cause: 'PROTOCOL_ERROR',
    message: `The ${coding} coding of the response is broken (${code})`,
  };
}
