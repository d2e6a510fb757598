import { TextDecoder } from 'node:util';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]{1,40})/i;

/**
 * The text of a body in the charset that its content type names, UTF-8 where it names none or one
 * that is unknown. A byte order mark is not part of the text; broken bytes become U+FFFD.
 */
export function bodyText(bytes: Buffer, contentType: string | undefined): string {
  const charset = CHARSET.exec(contentType ?? '')?.[1] ?? 'utf-8';
  return decoderOf(charset).decode(bytes);
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder();
    throw error;
  }
}
