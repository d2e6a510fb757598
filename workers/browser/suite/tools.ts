import { existsSync } from 'node:fs';
import { chmod, mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

/** Programs that the commands of a project may need, as far as they are on this machine. */
export interface Tools {
  /** What PATH is to be. */
  path: string;
  /** What a cage must show for it. */
  readable: readonly string[];
  has(name: ToolName): boolean;
}

const TOOLS = ['npm', 'npx', 'pnpm', 'yarn', 'bun', 'bunx'] as const;
export type ToolName = (typeof TOOLS)[number];

/** Where programs of the system are, which a cage shows anyway. */
const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'];

/**
 * Makes a folder of links to Node and to the package managers of this machine, so that every command of a run
 * uses the same Node.
 *
 * @param binaries folders with programs of packages, which come first: `npx` starts what is there without
 *   npm, as npm takes longer than a small test
 */
export async function makeTools(folder: string, binaries: readonly string[]): Promise<Tools> {
  await mkdir(folder);
  const node = await realpath(process.execPath);
  await symlink(node, join(folder, 'node'));
  const found = new Map<ToolName, string>();
  for (const name of TOOLS) {
    const path = await findProgram(name);
    if (path !== null) found.set(name, path);
  }
  for (const [name, path] of found) {
    await symlink(path, join(folder, name === 'npx' ? REAL_NPX : name));
  }
  await writeFile(join(folder, 'npx'), npx([...binaries, folder]));
  await chmod(join(folder, 'npx'), 0o755);
  return {
    path: [folder, ...binaries, ...SYSTEM_PATH].join(delimiter),
    readable: [node, ...new Set([...found.values()].map(packageOf))],
    has: (name) => found.has(name),
  };
}

const REAL_NPX = 'npx-of-npm';

/** A shell's `npx`: what a package of the project brings, else the real one. */
function npx(binaries: readonly string[]): string {
  const quoted = binaries.map((path) => `'${path.replaceAll("'", `'\\''`)}'`);
  return `#!/bin/sh
for folder in node_modules/.bin ${quoted.join(' ')}; do
  if [ -n "$1" ] && [ -x "$folder/$1" ] && [ ! -d "$folder/$1" ]; then
    program="$folder/$1"
    shift
    exec "$program" "$@"
  fi
done
exec ${REAL_NPX} "$@"
`;
}

/** The file of a program in this process's PATH, links followed; null where there is none. */
async function findProgram(name: string): Promise<string | null> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const path = folders.map((folder) => join(folder, name)).find((one) => existsSync(one));
  return path === undefined ? null : realpath(path);
}

/** The folder of the package that a program belongs to: its `bin` or `dist` lies in it. */
function packageOf(program: string): string {
  const modules = `${join('/', 'node_modules', '/')}`;
  const at = program.lastIndexOf(modules);
  if (at === -1) return program;
  const [name = '', second = ''] = program.slice(at + modules.length).split('/');
  const inside = name.startsWith('@') ? join(name, second) : name;
  return join(program.slice(0, at), 'node_modules', inside);
}

/** The folders of programs that packages bring, from a folder up to another one around it. */
export function binariesOf(from: string, to: string): string[] {
  const own = join(from, 'node_modules', '.bin');
  return from === to || dirname(from) === from ? [own] : [own, ...binariesOf(dirname(from), to)];
}
