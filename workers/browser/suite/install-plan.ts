import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { opendir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { ProjectProblem } from './project-problem.ts';
import type { ToolName, Tools } from './tools.ts';

/** How the packages of a project are installed. */
export interface InstallPlan {
  /** A line for the shell. */
  command: string;
  /** Where it runs: an absolute path in the project. */
  folder: string;
  /** The same for projects that get the same packages. */
  key: string;
}

interface Installed {
  root: string;
  workingFolder: string;
  /** The check's own; empty for the usual one. */
  installCommand: string;
}

/** Lock files, each with what installs by it. */
const LOCKS: readonly { file: string; tool: ToolName; command: string }[] = [
  { file: 'package-lock.json', tool: 'npm', command: 'npm ci' },
  { file: 'npm-shrinkwrap.json', tool: 'npm', command: 'npm ci' },
  { file: 'pnpm-lock.yaml', tool: 'pnpm', command: 'pnpm install --frozen-lockfile' },
  { file: 'yarn.lock', tool: 'yarn', command: 'yarn install --frozen-lockfile' },
  { file: 'bun.lock', tool: 'bun', command: 'bun install --frozen-lockfile' },
  { file: 'bun.lockb', tool: 'bun', command: 'bun install --frozen-lockfile' },
];

/**
 * What installs the packages of a project: the check's own command, else what fits the lock file that is nearest
 * to the working folder. Null where there is nothing to install.
 *
 * @throws ProjectProblem where the machine lacks what the lock file needs
 */
export async function planInstall(
  { root, workingFolder, installCommand }: Installed,
  tools: Tools,
): Promise<InstallPlan | null> {
  const own = installCommand.trim();
  if (own !== '') return plan(own, workingFolder, root);
  const folder = foldersFrom(workingFolder, root).find((one) => lockIn(one) !== undefined);
  const lock = folder === undefined ? undefined : lockIn(folder);
  if (folder === undefined || lock === undefined || !(await hasPackages(folder))) return null;
  const { tool, file, command } = lock;
  if (!tools.has(tool)) {
    throw new ProjectProblem(
      `The project has ${file}, and ${tool}, which installs by it, is not on the machine of Watchpost.`,
    );
  }
  return plan(command, folder, root);
}

async function plan(command: string, folder: string, root: string): Promise<InstallPlan> {
  const hash = createHash('sha256');
  const parts = [process.version, process.platform, process.arch, command, relative(root, folder)];
  hash.update(JSON.stringify(parts));
  for (const path of (await decidingFiles(root)).sort()) {
    const bytes = await readFile(join(root, path));
    hash.update(JSON.stringify([path, bytes.length])).update(bytes);
  }
  return { command, folder, key: hash.digest('hex') };
}

/** Files that decide which packages are installed, and how. */
const DECIDING = new Set([
  ...LOCKS.map(({ file }) => file),
  ...['package.json', '.npmrc', '.yarnrc', '.yarnrc.yml', 'bunfig.toml'],
  ...['pnpm-workspace.yaml', '.pnpmfile.cjs', '.pnp.cjs', '.node-version', '.nvmrc'],
]);

/** Paths relative to a folder. Packages that are there already decide nothing. */
async function decidingFiles(root: string, inside = ''): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of await opendir(join(root, inside))) {
    const path = join(inside, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') {
      found.push(...(await decidingFiles(root, path)));
    }
    const isDeciding = DECIDING.has(entry.name) || entry.name.endsWith('.patch');
    if (entry.isFile() && isDeciding) found.push(path);
  }
  return found;
}

/** A folder and those around it, up to a root. */
function foldersFrom(folder: string, root: string): string[] {
  return folder === root ? [folder] : [folder, ...foldersFrom(dirname(folder), root)];
}

const lockIn = (folder: string) => LOCKS.find(({ file }) => existsSync(join(folder, file)));

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'workspaces'];

/** Whether a package names others; one that cannot be read is left to whatever installs it. */
async function hasPackages(folder: string): Promise<boolean> {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return false;
  try {
    const text: unknown = JSON.parse(await readFile(path, 'utf8'));
    const named = text as Record<string, object | undefined>;
    return KINDS.some((kind) => Object.keys(named?.[kind] ?? {}).length > 0);
  } catch (error) {
    if (error instanceof SyntaxError) return true;
    throw error;
  }
}
