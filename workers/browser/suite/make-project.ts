import { mkdir, realpath, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { CheckOf } from '#shared/checks/check.ts';
import { projectPath } from '#shared/checks/project-path.ts';
import { projectSource } from '#shared/checks/project-source.ts';
import type { BrowserRunnerData } from '#shared/runs/protocol.ts';
import { copyFolder } from './copy-folder.ts';
import { ProjectProblem, quoted } from './project-problem.ts';
import { ProjectWriter } from './project-writer.ts';
import { unpackArchive } from './unpack-archive.ts';

/** A project in the folder of its run. */
export interface Project {
  /** Absolute, as `workingFolder`. */
  root: string;
  /** Where its commands run: the root, or a folder in it. */
  workingFolder: string;
  /** Where it comes from, for a folder of this machine; its packages are read there. */
  origin: string | null;
  /** Folders `node_modules` of the origin, relative to it and to the root. */
  packages: readonly string[];
}

type SuiteCheck = Pick<CheckOf<'PLAYWRIGHT'>, 'codeBundlePath' | 'dependencies' | 'workingDir'>;
type Folders = Pick<BrowserRunnerData, 'bundlesFolder' | 'allowedFolders'>;

/**
 * Writes the project of a check into a folder: what its `codeBundlePath` names, and its `dependencies` over
 * that.
 *
 * @param root does not exist yet
 * @throws ProjectProblem where there is none, or none that may be run
 */
export async function makeProject(
  check: SuiteCheck,
  root: string,
  folders: Folders,
): Promise<Project> {
  await mkdir(root);
  const { codeBundlePath, dependencies } = check;
  const found =
    codeBundlePath === undefined
      ? { origin: null, packages: [] }
      : await fetchProject(codeBundlePath, root, folders);
  await writeFiles(dependencies ?? [], root);
  return { root, workingFolder: await workingFolderOf(check, root), ...found };
}

type Found = Pick<Project, 'origin' | 'packages'>;

async function fetchProject(path: string, root: string, folders: Folders): Promise<Found> {
  const source = projectSource(path);
  switch (source.kind) {
    case 'archive':
      await unpackNamed(source.sha256, root, folders);
      return { origin: null, packages: [] };
    case 'folder': {
      const origin = await allowedFolder(source.path, folders.allowedFolders);
      return { origin, packages: await copyFolder(origin, new ProjectWriter(root)) };
    }
    case 'unknown':
      throw new ProjectProblem(
        `codeBundlePath ${quoted(path)} is neither the key of an archive nor the path of a folder.`,
      );
  }
}

async function unpackNamed(sha256: string, root: string, { bundlesFolder }: Folders) {
  try {
    await unpackArchive(join(bundlesFolder, sha256), root);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || path !== join(bundlesFolder, sha256)) throw error;
    throw new ProjectProblem('The archive of the project is not there any more: upload it again.');
  }
}

const NOT_ALLOWED =
  'The folder of the project is not there, or in none that WATCHPOST_PLAYWRIGHT_FOLDERS names.';

/** Where a folder really is: links may have changed since the check was saved. */
async function allowedFolder(path: string, allowed: readonly string[]): Promise<string> {
  const [folder, ...roots] = await Promise.all([path, ...allowed].map(realPath));
  const isAllowed = roots.some((root) => root !== null && folder != null && isIn(root, folder));
  if (folder == null || !isAllowed || !(await stat(folder)).isDirectory()) {
    throw new ProjectProblem(NOT_ALLOWED);
  }
  return folder;
}

async function realPath(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    return null;
  }
}

/** Whether a path is a folder or in it. */
export function isIn(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

/** Files of the check replace those of the same paths. */
async function writeFiles(files: readonly { path: string; content: string }[], root: string) {
  const writer = new ProjectWriter(root);
  for (const { path, content } of files) {
    const { path: inside } = projectPath(path);
    if (inside !== undefined && (await isOwn(root, inside))) await rm(join(root, inside));
    await writer.file(path, bytesOf(content));
  }
}

/** Whether a file is there that may be replaced: none that a link in the project leads to. */
async function isOwn(root: string, path: string): Promise<boolean> {
  const real = await realPath(join(root, path));
  return real === join(await realpath(root), path);
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function workingFolderOf({ workingDir }: SuiteCheck, root: string): Promise<string> {
  const wanted = (workingDir ?? '').replace(/^\.?\/*$/, '');
  if (wanted === '') return root;
  const { path, problem } = projectPath(wanted);
  if (path === undefined) throw new ProjectProblem(`workingDir ${quoted(wanted)}: ${problem}.`);
  const real = await realPath(join(root, path));
  if (real === null || !isIn(await realpath(root), real) || !(await stat(real)).isDirectory()) {
    throw new ProjectProblem(`workingDir ${quoted(wanted)} is no folder of the project.`);
  }
  return join(root, path);
}
