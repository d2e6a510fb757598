import { cut, type Show } from '#shared/assertions/text.ts';
import { bodyText } from './body-text.ts';

/** Most bytes of a text, in UTF-8, that a result keeps of a body. */
export const MAX_STORED_TEXT_BYTES = 64 * 1024;
/** Largest image that a result keeps. */
export const MAX_STORED_IMAGE_BYTES = 50 * 1024;

/** What a body is looked at for keeping: four times the bound of text holds it in every charset. */
const MAX_DECODED_BYTES = 4 * MAX_STORED_TEXT_BYTES;
/** How much of a body is enough for {@link storedBody}: one more tells that something is missing. */
export const ENOUGH_TO_STORE_BYTES = MAX_DECODED_BYTES + 1;

/** What a result keeps of a response body. */
export interface StoredBody {
  body: string;
  /** Whether something of the body is missing. */
  truncated: boolean;
  bodyEncoding?: 'base64';
}

const IMAGE = /^image\//i;
/** Types whose bytes are no text. */
const BINARY =
  /^(?:audio|video|font|model)\/|^application\/(?:pdf|octet-stream|zip|gzip|wasm|msword|x-7z-compressed|x-rar-compressed|x-tar|x-bzip2?|vnd\.(?:openxmlformats|ms-|rar|android))/i;

/**
 * Decides what to keep: text up to a bound, small images as base64, of other bytes nothing.
 *
 * @param show takes secrets out where it cuts, so that none is cut in two and half shown
 */
export function storedBody(
  bytes: Buffer,
  contentType: string | undefined,
  show: Show = cut,
): StoredBody {
  if (bytes.length === 0) return { body: '', truncated: false };
  if (IMAGE.test(contentType ?? '')) return storedImage(bytes, show);
  if (isBinary(bytes, contentType)) return { body: '', truncated: true };
  const { text, isWhole } = storedText(
    bodyText(bytes.subarray(0, MAX_DECODED_BYTES), contentType),
    show,
  );
  return { body: text, truncated: !isWhole || bytes.length > MAX_DECODED_BYTES };
}

/** What a result keeps of a text, and whether that is all of it. */
export function storedText(text: string, show: Show): { text: string; isWhole: boolean } {
  const shown = show(text, MAX_STORED_TEXT_BYTES);
  const stored = cutToBytes(shown, MAX_STORED_TEXT_BYTES);
  const isWhole = text.length <= MAX_STORED_TEXT_BYTES && stored.length === shown.length;
  return { text: stored, isWhole };
}

function storedImage(bytes: Buffer, show: Show): StoredBody {
  if (bytes.length > MAX_STORED_IMAGE_BYTES) return { body: '', truncated: true };
  const body = bytes.toString('base64');
  return { body: show(body, body.length), truncated: false, bodyEncoding: 'base64' };
}

/** Without a content type, a zero byte near the start tells. */
function isBinary(bytes: Buffer, contentType: string | undefined): boolean {
  return contentType === undefined
    ? bytes.subarray(0, 1_024).includes(0)
    : BINARY.test(contentType);
}

/** The longest start of a text that takes at most so many bytes in UTF-8, cut between characters. */
export function cutToBytes(text: string, maxBytes: number): string {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= maxBytes) return text;
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(maxBytes)).read);
}
