import { constants } from 'node:fs';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';
import { OWNER_ONLY, writeAtomic } from './write-atomic.ts';

/**
 * Written behind a line and cut off again: on a full disk a small change is refused as a large one is, though the last
 * block of the file had room for it.
 */
const SPARE_BLOCK = Buffer.alloc(4_096);

/**
 * The bytes of a journal on the disk: lines are added at its end, and taken from its beginning once they
 * stand elsewhere. The file is there only while there are lines.
 */
export class Journal {
  readonly path: string;
  #length: number;
  #handle: FileHandle | null = null;
  #lastTurn: Promise<unknown> = Promise.resolve();

  /** @param wholeBytes of the file that is there; 0 where there is none. What is behind them goes with the next line */
  constructor(path: string, wholeBytes: number) {
    this.path = path;
    this.#length = wholeBytes;
  }

  /** Bytes of all lines. */
  get length(): number {
    return this.#length;
  }

  /** Resolves once the line is on the disk; rejects as the file system does, and then none of it stays. */
  append(line: string): Promise<void> {
    return this.#inTurn(async () => {
      const bytes = Buffer.from(line);
      try {
        this.#handle ??= await this.#open();
        await writeAll(this.#handle, Buffer.concat([bytes, SPARE_BLOCK]), this.#length);
        await this.#handle.truncate(this.#length + bytes.length);
        await this.#handle.datasync();
      } catch (error) {
        await this.#cutRemains();
        throw error;
      }
      this.#length += bytes.length;
    });
  }

  /** The bytes of all lines so far. */
  read(): Promise<Buffer> {
    return this.#inTurn(async () => {
      if (this.#length === 0) return Buffer.alloc(0);
      return (await readFile(this.path)).subarray(0, this.#length);
    });
  }

  /** Takes lines away from the beginning; where it rejects, all of them are still there. */
  drop(bytes: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.#close();
      if (bytes < this.#length) {
        await writeAtomic(this.path, (await readFile(this.path)).subarray(bytes, this.#length));
      } else {
        await rm(this.path, { force: true });
      }
      this.#length -= bytes;
    });
  }

  /** Lets go of the file; where it has no lines, it is removed. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#close();
      if (this.#length === 0) await rm(this.path, { force: true });
    });
  }

  /** The name of a new file is on the disk before a line in it counts. */
  async #open(): Promise<FileHandle> {
    const handle = await open(this.path, constants.O_RDWR | constants.O_CREAT, OWNER_ONLY);
    try {
      await syncFolder(dirname(this.path));
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** A line that was refused must not be there at the next start. */
  async #cutRemains(): Promise<void> {
    try {
      await this.#handle?.truncate(this.#length);
      await this.#handle?.datasync();
    } catch (error) {
      // The next line takes its place.
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(task, task);
    this.#lastTurn = turn;
    return turn;
  }
}

/** A single write may take a part only, as on a disk that fills up. */
async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const rest = bytes.length - written;
    written += (await handle.write(bytes, written, rest, position + written)).bytesWritten;
  }
}
