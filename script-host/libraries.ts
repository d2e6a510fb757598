import { existsSync, readFileSync } from 'node:fs';
import {
  bundleName,
  cacheName,
  SCRIPT_LIBRARIES,
  UNAVAILABLE_BUILT_INS,
  UNAVAILABLE_LIBRARIES,
} from '#shared/run/libraries.ts';

/** Where scripts/bundle-libraries.ts puts them. */
const FOLDER = new URL('../node_modules/.cache/watchpost-libraries/', import.meta.url);

/** An answer to the `require` of a script. */
export type FoundLibrary = { text: string } | { refusal: string };

/** The text of a library, and its code as V8 compiled it; null where that was not kept. */
export interface Bundle {
  text: string;
  cache: Buffer | null;
}

/** `require` of a name that is written out. */
const REQUIRED = /\brequire\(\s*(['"`])([^'"`\\]{1,100})\1\s*\)/g;

function isBundled(name: string): boolean {
  return Object.hasOwn(SCRIPT_LIBRARIES, name) && SCRIPT_LIBRARIES[name]?.isBundled === true;
}

/** The bundled libraries that a script requires by a name that is written out in it, each once. */
export function requiredLibraries(codes: readonly string[]): string[] {
  const names = codes.flatMap((code) =>
    code.includes('require') ? [...code.matchAll(REQUIRED)].map(([, , name = '']) => name) : [],
  );
  return [...new Set(names)].filter(isBundled);
}

/**
 * The bundle of a library that {@link requiredLibraries} named: an expression whose value is a
 * function of `exports`, `require` and `module`.
 *
 * @throws when the bundles were never made, which is our own fault.
 */
export function readBundle(name: string): Bundle {
  const cache = new URL(cacheName(name), FOLDER);
  return {
    text: readFileSync(new URL(bundleName(name), FOLDER), 'utf8'),
    cache: existsSync(cache) ? readFileSync(cache) : null,
  };
}

/**
 * What `require` finds that is no module of the realm and was not foreseen. A refusal says by name
 * what scripts cannot have.
 *
 * @param own the modules that a realm makes itself, separated by commas; for the refusal
 * @throws when the bundles were never made, which is our own fault.
 */
export function findLibrary(name: string, own: string): FoundLibrary {
  if (isBundled(name)) return { text: readBundle(name).text };
  const plain = name.startsWith('node:') ? name.slice(5) : name;
  if (UNAVAILABLE_LIBRARIES.includes(name) || UNAVAILABLE_BUILT_INS.includes(plain)) {
    return {
      refusal: `"${name}" is not available in setup and teardown scripts of Watchpost (docs/guide/scripts.md)`,
    };
  }
  const bundled = Object.keys(SCRIPT_LIBRARIES).filter(isBundled);
  return {
    refusal: `Cannot require "${name.slice(0, 200)}": scripts may use ${own}, ${bundled.join(', ')} and ./snippets/<name>.js`,
  };
}
