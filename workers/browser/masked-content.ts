import { isUtf8 } from 'node:buffer';
import type { Mask } from '../masking/mask.ts';

/** Where a zero shows that a content is no text. */
const HEAD_BYTES = 8_000;

/** A content in which, if it is a text, secrets are masked; pages are not all written in UTF-8. */
export async function maskedContent(content: Buffer, mask: Mask): Promise<Buffer> {
  if (content.subarray(0, HEAD_BYTES).includes(0)) return content;
  // Every byte is a character of Latin-1, so that what is no secret stays as it is.
  const encoding = isUtf8(content) ? 'utf8' : 'latin1';
  return Buffer.from(await mask.longText(content.toString(encoding)), encoding);
}
