import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileStoreError } from '../store-error.ts';

/** An archive of a project, as it is stored. */
export interface CodeBundle {
  /** Hexadecimal, of its bytes: its name. */
  sha256: string;
  bytes: number;
  /** Epoch ms: when it was uploaded, or named, last. */
  usedAt: number;
}

/** An archive that has arrived and is not stored yet. */
export interface ArrivedBundle {
  sha256: string;
  bytes: number;
  /** Its first bytes, as many as {@link HEAD_BYTES}. */
  head: Buffer;
  /** Stores it under its hash. */
  keep(): Promise<CodeBundle>;
  discard(): Promise<void>;
}

/** In the data folder. */
export const CODE_BUNDLES_FOLDER = 'code-bundles';

/** What tells the format of an archive: a tar names itself within its first block. */
export const HEAD_BYTES = 512;

const NAME = /^[0-9a-f]{64}$/;
const ARRIVING = 'arriving-';

/** The archives of projects, as files named by the hashes of their bytes. The folder is made when it is needed. */
export class CodeBundleStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async list(): Promise<CodeBundle[]> {
    const names = (await this.#names()).filter((name) => NAME.test(name));
    const found = await Promise.all(names.map((name) => this.find(name)));
    return found.filter((bundle) => bundle !== null);
  }

  /** Null where there is none. */
  async find(sha256: string): Promise<CodeBundle | null> {
    const file = await unlessMissing(stat(this.#pathOf(sha256)));
    return file && { sha256, bytes: file.size, usedAt: file.mtimeMs };
  }

  /** Says that an archive is used at a time, epoch ms. */
  async use(sha256: string, at: number): Promise<void> {
    const seconds = at / 1_000;
    await unlessMissing(utimes(this.#pathOf(sha256), seconds, seconds));
  }

  /**
   * Writes what arrives to a file of its own. Where `chunks` throws, nothing stays.
   *
   * @throws StoreError where it cannot be written
   */
  async receive(chunks: AsyncIterable<Uint8Array>): Promise<ArrivedBundle> {
    await onDisk(mkdir(this.#folder, { recursive: true, mode: 0o700 }));
    const path = join(this.#folder, `${ARRIVING}${randomUUID()}`);
    try {
      const file = await onDisk(open(path, 'wx', 0o600));
      const arrived = await write(file, chunks).finally(() => file.close());
      const keep = () => this.#keep(path, arrived);
      return { ...arrived, keep, discard: () => rm(path, { force: true }) };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  async remove(sha256: string): Promise<void> {
    await rm(this.#pathOf(sha256), { force: true });
  }

  /** Removes what a crash left of archives that were arriving. */
  async removeArriving(): Promise<void> {
    const left = (await this.#names()).filter((name) => name.startsWith(ARRIVING));
    for (const name of left) await rm(join(this.#folder, name), { force: true });
  }

  async #keep(path: string, { sha256, bytes }: Arrived): Promise<CodeBundle> {
    await onDisk(rename(path, this.#pathOf(sha256)));
    return (await this.find(sha256)) ?? { sha256, bytes, usedAt: 0 };
  }

  async #names(): Promise<string[]> {
    return (await unlessMissing(readdir(this.#folder))) ?? [];
  }

  #pathOf(sha256: string): string {
    return join(this.#folder, sha256);
  }
}

type Arrived = Pick<ArrivedBundle, 'sha256' | 'bytes' | 'head'>;

async function write(file: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<Arrived> {
  const hash = createHash('sha256');
  let [bytes, head] = [0, Buffer.alloc(0)];
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.byteLength;
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES);
    await onDisk(file.appendFile(chunk));
  }
  await onDisk(file.sync());
  return { sha256: hash.digest('hex'), bytes, head };
}

async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw fileStoreError(error);
  }
}

async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
