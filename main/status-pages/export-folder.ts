import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';

/** Says which files of the folder are ours, so that no other one is ever removed. */
const MANIFEST = '.watchpost-export.json';

/** Paths that an export writes: a page's folder, then at most one more. */
const OURS = /^[a-z0-9-]{1,63}\/(?:[a-z]+\/)?[\w-]+(?:\.[\w-]+)*$/;
const manifest = z.object({ files: z.array(z.string().regex(OURS)) });

/**
 * A folder of files that somebody else serves. Each is replaced whole, and left alone where it is the same
 * already; what is not written any more is removed, and nothing that somebody else put there.
 */
export class ExportFolder {
  readonly #path: string;
  #files: ReadonlySet<string> | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** The files that are ours, relative to the folder, with slashes. */
  async files(): Promise<ReadonlySet<string>> {
    this.#files ??= new Set(await this.#readManifest());
    return this.#files;
  }

  /** Notes that files will be ours before they are: one that a crash leaves behind is still known. */
  async claim(files: readonly string[]): Promise<void> {
    const known = await this.files();
    if (files.some((file) => !known.has(file))) {
      await this.#writeManifest(new Set([...known, ...files]));
    }
  }

  /** What is there now, of anybody's. */
  async present(): Promise<ReadonlySet<string>> {
    await mkdir(this.#path, { recursive: true });
    const found = await readdir(this.#path, { recursive: true });
    return new Set(found.map((file) => file.replaceAll('\\', '/')));
  }

  async write(file: string, content: string | Buffer): Promise<void> {
    const path = join(this.#path, file);
    if (await isSame(path, Buffer.from(content))) return;
    await mkdir(dirname(path), { recursive: true });
    // A power cut may leave less than was written: the next start compares, and writes it again.
    await writeFileAtomic(path, content, { fsync: false });
  }

  /** Removes those of our files that are not among these, and folders that are empty then. */
  async removeOthers(files: ReadonlySet<string>): Promise<void> {
    const gone = [...(await this.files())].filter((file) => !files.has(file));
    for (const file of gone) await rm(join(this.#path, file), { force: true });
    for (const folder of foldersOf(gone)) await removeIfEmpty(join(this.#path, folder));
    await this.#writeManifest(files);
  }

  async #readManifest(): Promise<string[]> {
    const bytes = await readIfThere(join(this.#path, MANIFEST));
    if (bytes === null) return [];
    const parsed = manifest.safeParse(jsonOf(bytes.toString()));
    return parsed.success ? parsed.data.files : [];
  }

  async #writeManifest(files: ReadonlySet<string>): Promise<void> {
    const text = `${JSON.stringify({ files: [...files].toSorted() }, null, 1)}\n`;
    await mkdir(this.#path, { recursive: true });
    const path = join(this.#path, MANIFEST);
    if (!(await isSame(path, Buffer.from(text)))) await writeFileAtomic(path, text);
    this.#files = files;
  }
}

async function isSame(path: string, content: Buffer): Promise<boolean> {
  const known = await readIfThere(path);
  return known?.equals(content) ?? false;
}

/** Undefined for what is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The innermost come first. */
function foldersOf(files: readonly string[]): string[] {
  const folders = files.flatMap((file) => {
    const [page = '', inner] = file.split('/').slice(0, -1);
    return inner === undefined ? [page] : [`${page}/${inner}`, page];
  });
  return [...new Set(folders)].toSorted((a, b) => b.split('/').length - a.split('/').length);
}

async function removeIfEmpty(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if (!isCode(error, 'ENOTEMPTY', 'ENOENT', 'EEXIST')) throw error;
  }
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
