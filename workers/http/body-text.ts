import { TextDecoder } from 'node:util';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]{1,40})/i;
/** By far the most; a Buffer decodes it without a decoder of its own. */
const UTF8 = /^utf-?8$/i;

/**
 * The text of a body in the charset that its content type names, UTF-8 where it names none or one
 * that is unknown. A byte order mark is not part of the text; broken bytes become U+FFFD.
 */
export function bodyText(bytes: Buffer, contentType: string | undefined): string {
  const charset = CHARSET.exec(contentType ?? '')?.[1] ?? 'utf-8';
  if (!UTF8.test(charset)) return decoderOf(charset).decode(bytes);
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder();
    throw error;
  }
}
