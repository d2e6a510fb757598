import { constants, createReadStream } from 'node:fs';
import { opendir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ProjectProblem, quoted } from './project-problem.ts';
import type { ProjectWriter } from './project-writer.ts';

/** Opens a file that no link has taken the place of meanwhile. */
const { O_RDONLY, O_NOFOLLOW = 0 } = constants;
const NO_LINKS = (O_RDONLY | O_NOFOLLOW) as unknown as string;

/** Folders that are no part of a project's own files. */
const LEFT_OUT = new Set(['node_modules', '.git']);

/**
 * Copies the project in a folder of this machine.
 *
 * @returns the folders `node_modules` in it, which are left out; relative, with slashes
 * @throws ProjectProblem where it holds what no project may
 */
export async function copyFolder(folder: string, writer: ProjectWriter): Promise<string[]> {
  const modules: string[] = [];
  await copyInto('', { folder, writer, modules });
  await writer.finish();
  return modules;
}

interface Copying {
  folder: string;
  writer: ProjectWriter;
  modules: string[];
}

async function copyInto(inside: string, copying: Copying): Promise<void> {
  const { folder, writer, modules } = copying;
  for await (const entry of await opendir(join(folder, inside))) {
    const name = inside === '' ? entry.name : `${inside}/${entry.name}`;
    const path = join(folder, name);
    if (LEFT_OUT.has(entry.name) && (entry.isDirectory() || entry.isSymbolicLink())) {
      if (entry.name === 'node_modules') modules.push(name);
    } else if (entry.isDirectory()) {
      await writer.folder(name);
      await copyInto(name, copying);
    } else if (entry.isSymbolicLink()) {
      writer.link(name, await readlink(path));
    } else if (entry.isFile()) {
      const { size, mode } = await stat(path);
      writer.count(size);
      const content = createReadStream(path, { flags: NO_LINKS });
      await writer.file(name, content, (mode & 0o100) !== 0);
    } else {
      throw new ProjectProblem(`${quoted(name)} is neither a file, a folder nor a symbolic link.`);
    }
  }
}
