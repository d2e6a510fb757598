import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that every page loads. Its name holds its hash, so browsers keep it for ever. */
export interface Asset {
  name: string;
  /** Content type. */
  type: string;
  bytes: Buffer;
}

/** The stylesheet and the script of pages. */
export const ASSETS = {
  style: read('page', 'css', 'text/css; charset=utf-8'),
  board: read('board', 'css', 'text/css; charset=utf-8'),
  script: read('page', 'js', 'text/javascript; charset=utf-8'),
} as const satisfies Record<string, Asset>;

/** The asset of a name, with its hash; undefined for any other name. */
export function findAsset(name: string): Asset | undefined {
  return Object.values(ASSETS).find((asset) => asset.name === name);
}

function read(stem: string, ending: string, type: string): Asset {
  const bytes = readFileSync(new URL(`${stem}.${ending}`, import.meta.url));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  return { name: `${stem}.${hash}.${ending}`, type, bytes };
}
