import type { Mask } from '../../masking/mask.ts';
import { maskedZip } from '../masked-zip.ts';

/** The parts of a report that are no text: its program, and its data, an archive in base64. */
const PARTS =
  /<script type="module"[^>]*>[\s\S]*?<\/script>|(?<=data:application\/zip;base64,)[A-Za-z0-9+/=]+/g;

/**
 * A page of a report without secrets, in its data as well. Its program, which is the same in every report of a
 * Playwright, is left as it is: to mask a word in it would break it.
 *
 * @throws NotKept where the data is no archive
 */
export async function maskedReport(page: Buffer, mask: Mask): Promise<Buffer> {
  const text = page.toString();
  const shown: string[] = [];
  let at = 0;
  for (const { 0: part, index } of text.matchAll(PARTS)) {
    shown.push(mask.text(text.slice(at, index)));
    shown.push(part.startsWith('<') ? part : await maskedData(part, mask));
    at = index + part.length;
  }
  shown.push(mask.text(text.slice(at)));
  return Buffer.from(shown.join(''));
}

async function maskedData(base64: string, mask: Mask): Promise<string> {
  return (await maskedZip(Buffer.from(base64, 'base64'), mask)).toString('base64');
}
