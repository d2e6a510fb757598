import { mkdir, open, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectPath } from '#shared/checks/project-path.ts';
import { ProjectProblem, quoted } from './project-problem.ts';

/** How large a project may be once it is unpacked. */
export const MAX_PROJECT_BYTES = 512 * 1024 ** 2;
const MAX_ENTRIES = 50_000;

const MEBIBYTE = 1024 ** 2;
const DENSE_BYTES = 16 * MEBIBYTE;
const MAX_RATIO = 100;
const MAX_TARGET_CHARS = 1_000;

/**
 * Writes the files of a project into a folder that nothing else writes to, wherever they come from. Nothing is
 * written outside of it: names are plain paths below it, and links are made last, so that no file is
 * written through one.
 */
export class ProjectWriter {
  readonly #root: string;
  readonly #maxBytes: number;
  readonly #isDense: boolean;
  readonly #links = new Map<string, string>();
  #entries = 0;
  #bytes = 0;

  /**
   * @param root exists and is empty
   * @param packedBytes of the archive that it comes from
   */
  constructor(root: string, packedBytes = Number.POSITIVE_INFINITY) {
    this.#root = root;
    const densest = Math.max(DENSE_BYTES, packedBytes * MAX_RATIO);
    this.#maxBytes = Math.min(MAX_PROJECT_BYTES, densest);
    this.#isDense = densest < MAX_PROJECT_BYTES;
  }

  /**
   * Counts bytes before anything is done with them.
   *
   * @throws ProjectProblem once they are too many
   */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxBytes) return;
    throw new ProjectProblem(
      this.#isDense
        ? `The archive holds more than ${MAX_RATIO} times its own size, as no project does.`
        : `The project has more than ${MAX_PROJECT_BYTES / MEBIBYTE} MB.`,
    );
  }

  async folder(name: string): Promise<void> {
    // Archives name their own root too.
    if (/^[./]*$/.test(name) && !name.includes('..') && !name.startsWith('/')) return;
    const path = this.#pathOf(name);
    await this.#inTree(name, mkdir(path, { recursive: true }));
  }

  /** @param content counted already */
  async file(name: string, content: AsyncIterable<Uint8Array>, isProgram = false): Promise<void> {
    const path = this.#pathOf(name);
    await this.#inTree(name, mkdir(dirname(path), { recursive: true }));
    await using file = await this.#inTree(name, open(path, 'wx', isProgram ? 0o755 : 0o644));
    for await (const bytes of content) await file.writeFile(bytes);
  }

  /** @param target as the link says it: relative to where the link is */
  link(name: string, target: string): void {
    const path = this.#pathOf(name);
    if (this.#links.has(path)) throw twice(name);
    const problem = targetProblem(name, target);
    if (problem !== null) throw new ProjectProblem(`${quoted(name)} is a link that ${problem}.`);
    this.#links.set(path, target);
  }

  /** Makes the links. */
  async finish(): Promise<void> {
    for (const [path, target] of this.#links) {
      await this.#inTree(path, mkdir(dirname(path), { recursive: true }));
      await this.#inTree(path, symlink(target, path));
    }
  }

  #pathOf(name: string): string {
    if (++this.#entries > MAX_ENTRIES) {
      throw new ProjectProblem(`The project has more than ${MAX_ENTRIES} files.`);
    }
    const { path, problem } = projectPath(name);
    if (path === undefined) throw new ProjectProblem(`The path ${quoted(name)}: ${problem}.`);
    return join(this.#root, path);
  }

  async #inTree<T>(name: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      // On a disk that takes no difference of case, names are the same that were not.
      if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR') {
        throw twice(name.replace(`${this.#root}/`, ''));
      }
      throw error;
    }
  }
}

const twice = (name: string) =>
  new ProjectProblem(`The path ${quoted(name)} is there twice, as a file, a folder or a link.`);

/**
 * What is wrong with the target of a link. `..` may only come first: there it leads up real folders. After a
 * name it would lead up from wherever that name, which may be a link, leads to.
 */
function targetProblem(name: string, target: string): string | null {
  if (target.startsWith('/') || /^[a-z]:/i.test(target)) return 'leads out of the project';
  if (target.length > MAX_TARGET_CHARS) return 'is too long';
  if (/[\\\0]/.test(target)) return 'leads nowhere';
  const way = target.split('/').filter((segment) => segment !== '' && segment !== '.');
  const ups = way.lastIndexOf('..') + 1;
  if (way.slice(0, ups).some((segment) => segment !== '..')) return 'leads up from inside';
  const { path = '' } = projectPath(name);
  const depth = path.split('/').length - 1;
  return ups > depth ? 'leads out of the project' : null;
}
