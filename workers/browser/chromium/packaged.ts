import { type ExecFileOptions, execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';

const execute = promisify(execFile);

/** A package of npm that holds a Chromium, as it is installed. */
export interface ChromiumPackage {
  version: string;
  folder: string;
}

/** Null where npm left it out, and where its Chromium is of another platform. */
export function chromiumPackage(
  platform: NodeJS.Platform = process.platform,
  arch: string = process.arch,
): ChromiumPackage | null {
  if (platform !== 'linux' || arch !== 'x64') return null;
  const require = createRequire(import.meta.url);
  try {
    const folder = join(dirname(require.resolve('@sparticuz/chromium')), '../..');
    return { folder, version: require(join(folder, 'package.json')).version };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** What Chromium is started through; `exec` makes way for it. */
const PROGRAM = 'headless_shell';
const START_MS = 30_000;

/** Each archive of the package, and the folder that it is unpacked into. */
const ARCHIVES = { swiftshader: '.', fonts: 'fonts', al2023: 'libraries' };

/** Where the Chromium of a package is, once it is unpacked. */
export function programOf(
  { version }: Pick<ChromiumPackage, 'version'>,
  cacheFolder: string,
): string {
  return join(cacheFolder, 'chromium', version, PROGRAM);
}

/**
 * The Chromium of the package, unpacked into the cache folder: once, and whole or not at all.
 *
 * @throws Error which says why there is none, as with a full disk or a library that is not there
 */
export async function unpackedChromium(
  { version, folder }: ChromiumPackage,
  cacheFolder: string,
): Promise<string> {
  const program = programOf({ version }, cacheFolder);
  if (existsSync(program)) return program;
  const place = dirname(program);
  const all = dirname(place);
  await mkdir(all, { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(join(all, 'new-'));
  try {
    await unpack(folder, draft);
    await rename(draft, place).catch((error: unknown) => {
      // Another one was first, as `watchpost doctor` beside the appliance.
      if (!existsSync(program)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return program;
}

async function unpack(from: string, folder: string): Promise<void> {
  const archive = (name: string) => createReadStream(join(from, 'bin', name));
  const browser = createWriteStream(join(folder, 'chromium'), { mode: 0o700 });
  await pipeline(archive('chromium.br'), createBrotliDecompress(), browser);
  const { extract } = createRequire(join(from, 'package.json'))('tar-fs');
  for (const [name, place] of Object.entries(ARCHIVES)) {
    // Ours, not of whoever packed it: that may be a user of this machine.
    const files = extract(join(folder, place), { chown: false });
    await pipeline(archive(`${name}.tar.br`), createBrotliDecompress(), files);
  }
  await writeFile(join(folder, 'fonts.conf'), FONTS);
  const program = join(folder, PROGRAM);
  const start = () => run(program, ['--version'], { timeout: START_MS });
  await writeFile(program, starter(false), { mode: 0o755 });
  await start().catch(async () => {
    // The package has what small systems lack: NSS and Expat.
    await writeFile(program, starter(true));
    await start();
  });
}

/** @throws Error with the last line that the program printed */
async function run(program: string, args: string[], options: ExecFileOptions): Promise<void> {
  try {
    await execute(program, args, options);
  } catch (error) {
    const { stderr, killed } = error as { stderr: string; killed: boolean };
    const line = stderr.trim().split('\n').at(-1) || `${program} failed`;
    throw new Error(killed ? `took longer than ${options.timeout} ms` : line, { cause: error });
  }
}

const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** A system without fonts of its own shows text in those of the package. */
function starter(ownLibraries: boolean): string {
  return `#!/bin/sh
here=\${0%/*}
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/fonts.conf"
${ownLibraries ? 'export LD_LIBRARY_PATH="$here/libraries/lib"\n' : ''}exec "$here/chromium" "$@"
`;
}
