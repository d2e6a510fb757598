import { existsSync, readFileSync } from 'node:fs';
import {
  BUNDLED_BUILT_INS,
  bundleName,
  cacheName,
  librariesOf,
  libraryIn,
  SCRIPT_LIBRARIES,
  UNAVAILABLE_BUILT_INS,
  UNAVAILABLE_LIBRARIES,
} from '#shared/sandbox/libraries.ts';

/** Where scripts/bundle-libraries.ts puts them. */
const FOLDER = new URL('../../../node_modules/.cache/watchpost-libraries/', import.meta.url);

/** An answer to the `require` of a script. */
export type FoundLibrary = { text: string } | { refusal: string };

/** The text of a library, and its code as V8 compiled it; null where that was not kept. */
export interface Bundle {
  text: string;
  cache: Buffer | null;
}

/** `require` of a name that is written out. */
const REQUIRED = /\brequire\(\s*(['"`])([^'"`\\]{1,100})\1\s*\)/g;

/** A bundled library of a runtime: what scripts call it, and the entry that it was bundled from. */
export interface BundledLibrary {
  name: string;
  entry: string;
}

/** The bundle of a library or of a built-in module; undefined and null where there is none. */
function entryOf(runtimeId: string, name: string): string | null | undefined {
  const plain = plainName(name);
  if (Object.hasOwn(BUNDLED_BUILT_INS, plain)) return BUNDLED_BUILT_INS[plain];
  return libraryIn(runtimeId, name)?.entry;
}

/** Without the prefix that built-in modules may have. */
function plainName(name: string): string {
  return name.startsWith('node:') ? name.slice(5) : name;
}

/** The bundled libraries that a script requires by a name that is written out in it, each once. */
export function requiredLibraries(codes: readonly string[], runtimeId: string): BundledLibrary[] {
  const names = codes.flatMap((code) =>
    code.includes('require') ? [...code.matchAll(REQUIRED)].map(([, , name = '']) => name) : [],
  );
  const found = names.flatMap((name) => {
    const entry = entryOf(runtimeId, name);
    return typeof entry === 'string' ? [{ name: plainName(name), entry }] : [];
  });
  return [...new Map(found.map((library) => [library.name, library])).values()];
}

/**
 * The bundle of an entry: an expression whose value is a function of `exports`, `require` and
 * `module`.
 *
 * @throws when the bundles were never made, which is our own fault.
 */
export function readBundle(entry: string): Bundle {
  const cache = new URL(cacheName(entry), FOLDER);
  return {
    text: readFileSync(new URL(bundleName(entry), FOLDER), 'utf8'),
    cache: existsSync(cache) ? readFileSync(cache) : null,
  };
}

/** The runtime of a script, and the modules that its realm makes itself, separated by commas. */
export interface Requirer {
  runtimeId: string;
  own: string;
}

/**
 * What `require` finds that is no module of the realm and was not foreseen. A refusal says by name
 * what scripts cannot have.
 *
 * @throws when the bundles were never made, which is our own fault.
 */
export function findLibrary(name: string, { runtimeId, own }: Requirer): FoundLibrary {
  const entry = entryOf(runtimeId, name);
  if (typeof entry === 'string') return { text: readBundle(entry).text };
  if (UNAVAILABLE_LIBRARIES.includes(name) || UNAVAILABLE_BUILT_INS.includes(plainName(name))) {
    return {
      refusal: `"${name}" is not available in setup and teardown scripts of Watchpost (docs/guide/scripts.md)`,
    };
  }
  const has = new Set([...own.split(', '), ...Object.keys(librariesOf(runtimeId))]);
  return {
    refusal: `Cannot require "${name}"${elsewhere(name)}: the runtime ${runtimeId} has ${[...has].join(', ')} and ./snippets/<name>.js`,
  };
}

/** Where a library is to be had that the runtime of a script lacks. */
function elsewhere(name: string): string {
  const versions = Object.hasOwn(SCRIPT_LIBRARIES, name) ? (SCRIPT_LIBRARIES[name] ?? []) : [];
  const [newest, oldest] = [versions[0]?.to, versions.at(-1)?.from];
  if (newest === undefined || oldest === undefined) return '';
  return newest === oldest
    ? `, a library of the runtime ${newest}`
    : `, a library of the runtimes ${oldest} to ${newest}`;
}
