import { type LibraryVersion, librariesOf, libraryIn, SCRIPT_LIBRARIES } from './libraries.ts';

/** A package that browser, multi-step and Playwright checks can import: real Node has no need of a bundle. */
export interface RuntimePackage {
  version: string;
  /** Its folder: the name of an installed package, or a path from the root of the project. */
  folder: string;
}

const FIRST = '2022.10';
const LAST = '2026.04';
const OURS = './workers/browser/packages';

const since = (version: string, entry: string, from: string, to = LAST): LibraryVersion => ({
  version,
  entry,
  from,
  to,
});

/**
 * What these checks have beside the libraries of setup scripts, or in place of what stands in for
 * them there. Playwright is one for all runtimes: its browser is one.
 */
const PACKAGES: Readonly<Record<string, readonly LibraryVersion[]>> = {
  '@checkly/playwright-helpers': [since('1.0.4', `${OURS}/playwright-helpers`, '2023.09')],
  '@playwright/test': [since('1.65.1', '@playwright/test', FIRST)],
  axios: [since('1.21.1', 'axios', '2026.04'), since('0.35.0', 'axios-0', FIRST, '2025.04')],
  'csv-parse': [since('6.2.0', 'csv-parse', '2026.04')],
  'date-fns-tz': [
    since('3.2.0', 'date-fns-tz', '2024.02'),
    since('3.2.0', `${OURS}/date-fns-tz-2`, '2023.02', '2023.09'),
  ],
  'form-data': [since('4.0.6', 'form-data', FIRST)],
  playwright: [since('1.65.1', 'playwright', FIRST)],
  'playwright-core': [since('1.65.1', 'playwright-core', FIRST)],
  'tough-cookie': [since('6.1.0', 'tough-cookie', '2026.04')],
  ws: [since('8.23.0', 'ws', '2023.02')],
};

/** Every name in the table of this file, for the guide. */
export const OWN_PACKAGES: readonly string[] = Object.keys(PACKAGES);

/** The packages of one runtime, by the name that a script imports. */
export function packagesOf(runtimeId: string): Record<string, RuntimePackage> {
  const names = new Set([...Object.keys(SCRIPT_LIBRARIES), ...OWN_PACKAGES]);
  // The parts of a package that a runtime names (`protobufjs/light`) come with it.
  const whole = [...names].filter((name) => folderOf(name) === name).sort();
  const found = whole.map((name) => [name, packageIn(runtimeId, name)] as const);
  return Object.fromEntries(found.flatMap(([name, one]) => (one ? [[name, one]] : [])));
}

function packageIn(runtimeId: string, name: string): RuntimePackage | undefined {
  const own = PACKAGES[name]?.find(({ from, to }) => runtimeId >= from && runtimeId <= to);
  const { version, entry } = own ?? libraryIn(runtimeId, name) ?? {};
  return version === undefined || entry == null ? undefined : { version, folder: folderOf(entry) };
}

/** Without the file in a package that an entry may name: `faker-9/locale/en` is of `faker-9`. */
function folderOf(entry: string): string {
  return entry.startsWith('.') ? entry : (/^(?:@[^/]+\/)?[^/]+/.exec(entry)?.[0] ?? entry);
}

/**
 * What the API tells of a runtime: package name to version, of all that scripts of any kind can have.
 * Where setup scripts have a stand-in, the package is told.
 */
export function dependenciesOf(runtimeId: string): Record<string, string> {
  const packages = Object.entries(packagesOf(runtimeId)).map(([name, { version }]) => [
    name,
    version,
  ]);
  const { 'playwright-core': _, ...told } = Object.fromEntries(packages);
  return { ...librariesOf(runtimeId), ...told };
}
