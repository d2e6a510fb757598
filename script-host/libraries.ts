import { readFileSync } from 'node:fs';
import { bundleName, SCRIPT_LIBRARIES, UNAVAILABLE_LIBRARIES } from '#shared/run/libraries.ts';

/** Where scripts/bundle-libraries.ts puts them. */
const FOLDER = new URL('../node_modules/.cache/watchpost-libraries/', import.meta.url);

/** An answer to the `require` of a script. */
export type FoundLibrary = { text: string } | { refusal: string };

/**
 * The bundle of a library: an expression whose value is a function of `exports`, `require` and
 * `module`. A refusal says by name what scripts cannot have.
 *
 * @param own the modules that a realm makes itself, separated by commas; for the refusal
 * @throws when the bundles were never made, which is our own fault.
 */
export function findLibrary(name: string, own: string): FoundLibrary {
  if (Object.hasOwn(SCRIPT_LIBRARIES, name) && SCRIPT_LIBRARIES[name]?.isBundled) {
    return { text: readFileSync(new URL(bundleName(name), FOLDER), 'utf8') };
  }
  if (UNAVAILABLE_LIBRARIES.includes(name)) {
    return {
      refusal: `"${name}" is not available in setup and teardown scripts of Watchpost (docs/guide/scripts.md)`,
    };
  }
  const bundled = Object.keys(SCRIPT_LIBRARIES).filter((one) => SCRIPT_LIBRARIES[one]?.isBundled);
  return {
    refusal: `Cannot require "${name.slice(0, 200)}": scripts may use ${own}, ${bundled.join(', ')} and ./snippets/<name>.js`,
  };
}
