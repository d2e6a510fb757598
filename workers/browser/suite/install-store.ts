import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { folderSize } from '../cage/folder-size.ts';
import { copy, link, move, packageFolders, standsAlone } from './package-folders.ts';

const installRecord = z.object({
  /** Folders `node_modules`, relative to a project. */
  modules: z.array(
    z.object({
      path: z.string(),
      /** Whether a project may be given a link to it: nothing in it leads to other files of its project. */
      isShared: z.boolean(),
    }),
  ),
  bytes: z.number(),
});

/** Installed packages of a project, as they are kept. */
export interface Install extends z.output<typeof installRecord> {
  /** All that a cage must show for it. */
  folder: string;
}

const RECORD = 'install.json';
/** What is not whole yet. */
const DRAFT = 'new-';

/** Installed packages on the disk, each in a folder of its own. One thread uses it. */
export class InstallStore {
  readonly #folder: string;
  #isReady: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The newest of a key, which counts as used now; null where there is none. */
  async find(key: string): Promise<Install | null> {
    const name = (await this.#names()).findLast((one) => one.startsWith(`${key}.`));
    const found = name === undefined ? null : await this.#read(name);
    if (found !== null) await utimes(join(found.folder, RECORD), new Date(), new Date());
    return found;
  }

  /** Moves the packages out of a project; null where it has none in the usual folders. */
  async keep(key: string, project: string): Promise<Install | null> {
    await this.#ready();
    const paths = await packageFolders(project);
    if (paths.length === 0) return null;
    const draft = join(this.#folder, `${DRAFT}${randomUUID()}`);
    try {
      const modules: Install['modules'] = [];
      for (const path of paths) {
        modules.push({ path, isShared: await standsAlone(join(project, path)) });
        await move(join(project, path), join(draft, path));
      }
      const kept = { modules, bytes: (await folderSize(draft)) ?? Number.MAX_SAFE_INTEGER };
      await writeFile(join(draft, RECORD), JSON.stringify(kept));
      // Names sort by their times.
      const folder = join(this.#folder, `${key}.${Date.now()}-${randomUUID()}`);
      await rename(draft, folder);
      return { folder, ...kept };
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }

  /** Gives a project its packages. */
  async place({ folder, modules }: Install, project: string): Promise<void> {
    for (const { path, isShared } of modules) {
      const [from, to] = [join(folder, path), join(project, path)];
      await (isShared ? link(from, to) : copy(from, to));
    }
  }

  /** Removes what was used least recently until the rest has so many bytes, but nothing that is in use. */
  async makeRoom(maxBytes: number, isInUse: (folder: string) => boolean): Promise<void> {
    const found = await Promise.all((await this.#names()).map((name) => this.#read(name)));
    const all = await Promise.all(found.filter((one) => one !== null).map(withTime));
    let bytes = all.reduce((sum, one) => sum + one.bytes, 0);
    for (const one of all.sort((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= maxBytes) return;
      if (isInUse(one.folder)) continue;
      bytes -= one.bytes;
      await rm(one.folder, { recursive: true, force: true });
    }
  }

  async #names(): Promise<string[]> {
    await this.#ready();
    return (await readdir(this.#folder)).filter((name) => !name.startsWith(DRAFT)).sort();
  }

  #ready(): Promise<void> {
    this.#isReady ??= this.#removeDrafts();
    return this.#isReady;
  }

  /** What a crash left. */
  async #removeDrafts(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const drafts = (await readdir(this.#folder)).filter((name) => name.startsWith(DRAFT));
    for (const name of drafts) await rm(join(this.#folder, name), { recursive: true });
  }

  /** One that cannot be read is removed: it can be made anew. */
  async #read(name: string): Promise<Install | null> {
    const folder = join(this.#folder, name);
    try {
      const text = await readFile(join(folder, RECORD), 'utf8');
      return { folder, ...installRecord.parse(JSON.parse(text)) };
    } catch {
      await rm(folder, { recursive: true, force: true });
      return null;
    }
  }
}

async function withTime(install: Install) {
  return { ...install, usedAt: (await stat(join(install.folder, RECORD))).mtimeMs };
}
