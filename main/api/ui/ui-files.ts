import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { preloading } from './ui-preloads.ts';

/** Where `scripts/build-renderer.ts` leaves the interface. */
const BUILDS = fileURLToPath(
  new URL('../../../node_modules/.cache/watchpost-renderer', import.meta.url),
);

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
};

/** A file that is sent in the best encoding that lies beside it. */
export interface ServedFile {
  path: string;
  /** Content type. */
  type: string;
  /** Whether `.br` and `.gz` of it are there. */
  isCompressed: boolean;
}

/** The built interface, as it was at the start. */
export interface UiFiles {
  /** The document for an address; null where the interface was not built. */
  document: ((path: string) => string) | null;
  /** By their names, which hold their hashes. */
  assets: ReadonlyMap<string, ServedFile>;
}

/** Reads which files there are: only those are ever served. */
export function readUiFiles(builds = BUILDS): UiFiles {
  const pointer = join(builds, 'current');
  if (!existsSync(pointer)) return { document: null, assets: new Map() };
  const folder = join(builds, readFileSync(pointer, 'utf8').trim());
  const names = readdirSync(join(folder, 'assets')).filter((name) => !/\.(?:br|gz)$/.test(name));
  const assets = names.flatMap((name): [string, ServedFile][] => {
    const type = TYPES[name.split('.').at(-1) ?? ''];
    const path = join(folder, 'assets', name);
    return type === undefined
      ? []
      : [[name, { path, type, isCompressed: existsSync(`${path}.br`) }]];
  });
  const manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'));
  return {
    document: preloading(readFileSync(join(folder, 'index.html'), 'utf8'), manifest),
    assets: new Map(assets),
  };
}
