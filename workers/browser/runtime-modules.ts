import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesOf } from '#shared/sandbox/packages.ts';

/** The packages of a runtime on the disk. */
export interface RuntimeModules {
  /** A `node_modules` with a link for each package; a link to it beside a script is enough. */
  folder: string;
  /** All that a cage must show for it: the links, and the folders that they lead to. */
  readable: readonly string[];
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where Node looks for the packages of the appliance itself. */
const INSTALLED = createRequire(import.meta.url).resolve.paths('watchpost') ?? [];

/**
 * The packages that scripts of a runtime import. They are linked once for each version of Watchpost
 * and each place that it is installed in.
 *
 * @param cacheFolder may be emptied while the appliance is stopped
 * @throws where the folder cannot be written
 */
export async function runtimeModules(
  runtimeId: string,
  cacheFolder: string,
): Promise<RuntimeModules> {
  const links = linksOf(runtimeId);
  const all = join(cacheFolder, 'runtimes');
  const name = `${runtimeId}-${hashOf(links)}`;
  const made = join(all, name);
  if (!existsSync(made)) await make(all, name, links);
  return { folder: join(made, 'node_modules'), readable: [made, ...roomsOf(links)] };
}

type Link = readonly [name: string, target: string];

function linksOf(runtimeId: string): Link[] {
  return Object.entries(packagesOf(runtimeId)).map(([name, { folder }]) => [name, find(folder)]);
}

function find(folder: string): string {
  if (folder.startsWith('.')) return join(ROOT, folder);
  const found = INSTALLED.map((modules) => join(modules, folder)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${folder} is not installed`);
  return found;
}

/** The `node_modules` in which the packages stand with what they need, and our own ones. */
function roomsOf(links: readonly Link[]): string[] {
  const targets = links.map(([, target]) => target);
  const rooms = INSTALLED.filter((modules) =>
    targets.some((path) => path.startsWith(join(modules, '/'))),
  );
  return [...rooms, join(ROOT, 'workers', 'browser', 'packages')];
}

const hashOf = (links: readonly Link[]): string =>
  createHash('sha256').update(JSON.stringify(links)).digest('hex').slice(0, 12);

/** Makes the folder beside its place: a reader finds it whole or not at all. */
async function make(all: string, name: string, links: readonly Link[]): Promise<void> {
  const draft = join(all, `new-${randomUUID()}`);
  for (const [link, target] of links) {
    const path = join(draft, 'node_modules', link);
    await mkdir(dirname(path), { recursive: true });
    // Windows lets everybody make a junction, and a link only those whom it trusts.
    await symlink(target, path, 'junction');
  }
  await rename(draft, join(all, name)).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true });
    // Another run was first.
    if (!existsSync(join(all, name))) throw error;
  });
  await removeFormer(all, name);
}

/** Of a version before, or of another place of the installation. */
async function removeFormer(all: string, name: string): Promise<void> {
  const runtimeId = name.slice(0, name.indexOf('-'));
  const former = (await readdir(all)).filter((one) => one.startsWith(`${runtimeId}-`));
  for (const one of former.filter((one) => one !== name)) {
    await rm(join(all, one), { recursive: true });
  }
}
