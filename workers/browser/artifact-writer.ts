import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, realpath, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import {
  type ArtifactType,
  artifactPath,
  INCOMING_FOLDER,
  MAX_RUN_ARTIFACT_BYTES,
  MAX_RUN_ARTIFACTS,
  type RunArtifact,
} from '#shared/artifacts/artifact.ts';
import { artifactName, uniqueName } from '#shared/artifacts/artifact-name.ts';
import { contentTypeOf } from '#shared/artifacts/content-type.ts';
import { withStorage } from './report-page.ts';

/** What an artifact is to be called; its content type goes by its name where none is given. */
export interface NewArtifact {
  type: ArtifactType;
  name: string;
  contentType?: string | undefined;
}

/** A file that a run left: `path` is read only where it leads, links followed, into `root`. */
export interface LeftFile {
  root: string;
  path: string;
}

/** What one run may leave. */
const LIMITS = { files: MAX_RUN_ARTIFACTS, bytes: MAX_RUN_ARTIFACT_BYTES };

const CHUNK_BYTES = 256 * 1024;
/** Sentences that one run is told. */
const MAX_PROBLEMS = 20;

/** Hands a content over, piece by piece. */
type Source = (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>;

/**
 * Writes what one run left into the artifact store, where each content is kept once, by its hash. What
 * cannot be kept fails no run: {@link problems} says it in sentences.
 */
export class ArtifactWriter {
  readonly #folder: string;
  readonly #limits: typeof LIMITS;
  readonly #names = new Set<string>();
  readonly #artifacts: RunArtifact[] = [];
  readonly #problems = new Set<string>();
  #bytes = 0;

  /** @param folder the artifact store's */
  constructor(folder: string, limits = LIMITS) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** What was written: `artifacts` of the run result. */
  get artifacts(): readonly RunArtifact[] {
    return this.#artifacts;
  }

  /** Why something is missing, for the log of the run. */
  get problems(): readonly string[] {
    return [...this.#problems];
  }

  /** Answers what was kept, under a name that no other artifact of the run has; null where it was not. */
  addBytes(artifact: NewArtifact, bytes: Uint8Array): Promise<RunArtifact | null> {
    return this.#add(artifact, (write) => write(bytes));
  }

  /**
   * The same with a file, which nothing changes any more.
   *
   * @param change makes what is kept of the whole file; may throw {@link NotKept}
   */
  addFile(artifact: NewArtifact, file: LeftFile, change?: Change): Promise<RunArtifact | null> {
    return this.#add(artifact, async (write) => {
      await using source = await openLeftFile(file);
      const { size } = await source.stat();
      // A file with nothing but holes in it would else be written up to the limit, as often as it is named.
      if (this.#bytes + size > this.#limits.bytes) throw new NotKept(tooMany(this.#limits.bytes));
      if (change) return await write(await change(await source.readFile()));
      for (;;) {
        const { bytesRead, buffer } = await source.read(Buffer.allocUnsafe(CHUNK_BYTES));
        if (bytesRead === 0) return;
        await write(buffer.subarray(0, bytesRead));
      }
    });
  }

  async #add({ type, name, contentType: given }: NewArtifact, source: Source) {
    if (this.#names.size >= this.#limits.files) {
      this.#note(`Only the first ${this.#limits.files} artifacts of the run were kept.`);
      return null;
    }
    const unique = uniqueName(artifactName(name), (taken) => this.#names.has(taken));
    this.#names.add(unique);
    const contentType = given ?? contentTypeOf(unique);
    const isPage = type === 'report' && contentType === 'text/html';
    try {
      const content = await this.#store(isPage ? pageOf(source) : source);
      const kept = { type, name: unique, ...content, contentType };
      this.#artifacts.push(kept);
      return kept;
    } catch (error) {
      this.#names.delete(unique);
      this.#note(sentenceOf(error, unique));
      return null;
    }
  }

  #note(problem: string): void {
    if (this.#problems.size < MAX_PROBLEMS) this.#problems.add(problem);
  }

  async #store(source: Source) {
    const incoming = join(this.#folder, INCOMING_FOLDER, randomUUID());
    await mkdir(dirname(incoming), { recursive: true, mode: 0o700 });
    try {
      const content = await this.#write(incoming, source);
      await settle(incoming, join(this.#folder, artifactPath(content.sha256)), content.bytes);
      return content;
    } finally {
      await rm(incoming, { force: true });
    }
  }

  async #write(path: string, source: Source) {
    await using file = await open(path, 'wx', 0o600);
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      await source(async (chunk) => {
        bytes += chunk.byteLength;
        this.#bytes += chunk.byteLength;
        if (this.#bytes > this.#limits.bytes) throw new NotKept(tooMany(this.#limits.bytes));
        hash.update(chunk);
        await file.writeFile(chunk);
      });
      await file.sync();
    } catch (error) {
      this.#bytes -= bytes;
      throw error;
    }
    return { sha256: hash.digest('hex'), bytes };
  }
}

/** A page of a report, as it can be shown. */
function pageOf(source: Source): Source {
  let isBeginning = true;
  return (write) =>
    source((chunk) => {
      const piece = isBeginning ? withStorage(chunk) : chunk;
      isBeginning = false;
      return write(piece);
    });
}

/** Makes what is kept of a file out of its content. */
export type Change = (content: Buffer) => Buffer | Promise<Buffer>;

/** Its message says why an artifact is not kept. */
export class NotKept extends Error {}

function tooMany(bytes: number): string {
  return `all artifacts of a run may have ${Math.floor(bytes / 1024 ** 2)} MB`;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file is not there',
  ENOSPC: 'the disk of the data folder is full',
  EDQUOT: 'the disk of the data folder is full',
};

function sentenceOf(error: unknown, name: string): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = error instanceof NotKept ? message : (REASONS[code] ?? code);
  // A fault of ours is no trouble of the disk.
  if (reason === '') throw error;
  return `The artifact ${name} was not kept: ${reason}.`;
}

/**
 * The content of a file that a run left.
 *
 * @throws NotKept where it is no file, outside of its folder or too large; otherwise as `open` does
 */
export async function readLeftFile(file: LeftFile, maxBytes: number): Promise<Buffer> {
  await using source = await openLeftFile(file);
  return await readWhole(source, maxBytes);
}

async function readWhole(source: FileHandle, maxBytes: number): Promise<Buffer> {
  const { size } = await source.stat();
  if (size > maxBytes) throw new NotKept(tooMany(maxBytes));
  return await source.readFile();
}

/** Nothing but a file within the folder: a link may lead anywhere, and a pipe never ends. */
async function openLeftFile({ root, path }: LeftFile): Promise<FileHandle> {
  const [folder, target] = await Promise.all([realpath(root), realpath(path)]);
  if (!target.startsWith(folder + sep)) throw new NotKept('it is outside the folder of the run');
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = await open(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new NotKept('it is no file');
}

/**
 * Gives a content its place. One that is there is new again: it is named soon, and until then it must
 * not look like one that nothing names.
 */
async function settle(incoming: string, place: string, bytes: number): Promise<void> {
  const now = new Date();
  try {
    if ((await stat(place)).size === bytes) return await utimes(place, now, now);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  await rename(incoming, place);
}
