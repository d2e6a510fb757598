import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { MAX_DETAIL_BYTES } from '#shared/runs/protocol.ts';

/** How the detail of a run is stored: as text, or deflated where that saves enough. */

/** As stored. */
const MAX_STORED_BYTES = 256 * 1024;
/**
 * Below this the processor's time costs more than the room is worth: 1.4 KB deflate to 0.6 KB in
 * 45 µs, as long as storing the whole rest of a result takes.
 */
const MIN_DEFLATED_BYTES = 2 * 1024;

/** What is stored: text as it came, bytes where it was deflated. Null where it is too large. */
export function packBody(text: string): { body: string | Uint8Array; bytes: number } | null {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_DETAIL_BYTES) return null;
  const plain = bytes > MAX_STORED_BYTES ? null : { body: text, bytes };
  if (bytes < MIN_DEFLATED_BYTES) return plain;
  const body = deflateRawSync(text, { level: 1 });
  if (body.byteLength > MAX_STORED_BYTES || body.byteLength >= bytes) return plain;
  return { body, bytes: body.byteLength };
}

/** The text again. */
export function unpackBody(body: string | Uint8Array): string {
  if (typeof body === 'string') return body;
  return inflateRawSync(body, { maxOutputLength: MAX_DETAIL_BYTES }).toString('utf8');
}
