import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TRANSFORMED_FILE } from './job.ts';
import { type CachedFile, common } from './playwright.ts';

/** A file of the check, as Playwright made it ready to run. */
interface Transformed {
  /** Relative to the folder of the run. */
  file: string;
  /** With a first line that Playwright checks it by. */
  code: string;
  /** Its source map, which names files relative to its own. */
  map: string;
  isModule: boolean;
}

const taken = new Set<string>();

/** Hands Playwright the files that an earlier run of the same check had made ready. */
export function takeTransformed(folder: string): void {
  const path = join(folder, TRANSFORMED_FILE);
  if (!existsSync(path)) return;
  const all: Transformed[] = JSON.parse(readFileSync(path, 'utf8'));
  const inside = join(folder, `${TRANSFORMED_FILE}.d`);
  mkdirSync(inside, { recursive: true });
  for (const [index, one] of all.entries()) take(one, folder, join(inside, String(index)));
}

function take({ file, code, map, isModule }: Transformed, folder: string, path: string): void {
  const name = join(folder, file);
  const [codePath, sourceMapPath] = [`${path}.js`, `${path}.map`];
  writeFileSync(codePath, code);
  writeFileSync(sourceMapPath, map);
  const moduleUrl = isModule ? pathToFileURL(name).href : undefined;
  taken.add(name);
  common.cc.addToCompilationCache({
    sourceMaps: [[moduleUrl ?? name, sourceMapPath]],
    memoryCache: [[name, { codePath, sourceMapPath, moduleUrl }]],
    fileDependencies: [],
  });
}

/** Leaves what Playwright made ready for the next run, unless that had it all from an earlier one. */
export function leaveTransformed(folder: string): void {
  const { memoryCache } = common.cc.serializeCompilationCache();
  const own = memoryCache.filter(([name]) => name.startsWith(folder + sep));
  if (own.every(([name]) => taken.has(name))) return;
  const all = own.flatMap((entry) => transformed(entry, folder));
  writeFileSync(join(folder, TRANSFORMED_FILE), JSON.stringify(all));
}

function transformed([name, cached]: [string, CachedFile], folder: string): Transformed[] {
  const { codePath, sourceMapPath, moduleUrl } = cached;
  if (!existsSync(codePath) || !existsSync(sourceMapPath)) return [];
  const map = readFileSync(sourceMapPath, 'utf8');
  const code = readFileSync(codePath, 'utf8');
  return [{ file: relative(folder, name), code, map, isModule: moduleUrl !== undefined }];
}
