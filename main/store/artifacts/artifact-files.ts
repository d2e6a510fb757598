import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { artifactPath, INCOMING_FOLDER } from '#shared/artifacts/artifact.ts';
import type { Clock } from '#shared/clock.ts';
import type { History } from '../history/history.ts';
import type { StoreLog } from '../store-log.ts';

/** The artifact store in a data folder. */
export const ARTIFACTS_FOLDER = 'artifacts';

/** Where a file is between its place and its end. */
const OUTGOING_FOLDER = 'outgoing';

const SWEEP_MS = 600_000;
/** Younger files stay: a run may be about to name them. */
const REST_MS = 3_600_000;
/** Files that are asked about at once. */
const ASKED_AT_ONCE = 500;

const HASH = /^[0-9a-f]{64}$/;
const SHELF = /^[0-9a-f]{2}$/;

interface ArtifactFilesParts {
  history: Pick<History, 'listUnnamed' | 'probe'>;
  clock: Clock;
  log: StoreLog;
}

/**
 * The contents of artifacts, each a file named by its hash. Runs write them before their results name
 * them, and results go without them: a file that nothing names is removed here, at the start and every
 * ten minutes.
 */
export class ArtifactFiles {
  readonly #folder: string;
  readonly #parts: ArtifactFilesParts;
  #timer: unknown;
  #sweeping: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** @param folder the data folder's */
  constructor(folder: string, parts: ArtifactFilesParts) {
    this.#folder = join(folder, ARTIFACTS_FOLDER);
    this.#parts = parts;
  }

  /** Where a content is, whether it is still there or not. */
  pathOf(sha256: string): string {
    return join(this.#folder, artifactPath(sha256));
  }

  /** Begins to look after the files. */
  start(): void {
    const { clock, log } = this.#parts;
    const swept = this.#sweeping.then(() => this.sweep());
    this.#sweeping = swept.catch((error) => {
      if (!this.#isClosed) {
        log.warn({ err: error }, 'Files of artifacts that nothing names could not be removed.');
      }
    });
    this.#timer = clock.setTimeout(() => this.start(), SWEEP_MS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#parts.clock.clearTimeout(this.#timer);
    await this.#sweeping;
  }

  /** Removes what nothing names, and what crashes left half-way. */
  async sweep(): Promise<void> {
    // While the store fails, results wait in memory with the names of files.
    await this.#parts.history.probe();
    await this.#takeBack();
    for (const name of await namesIn(join(this.#folder, INCOMING_FOLDER))) {
      await this.#removeIfOld(join(this.#folder, INCOMING_FOLDER, name));
    }
    for (const shelf of await namesIn(this.#folder)) {
      if (SHELF.test(shelf)) await this.#sweepShelf(shelf);
    }
  }

  /** The files come before the question, so that one that is named meanwhile stays. */
  async #sweepShelf(shelf: string): Promise<void> {
    const names = await namesIn(join(this.#folder, shelf));
    const hashes = names.filter((name) => HASH.test(name) && name.startsWith(shelf));
    for (let start = 0; start < hashes.length; start += ASKED_AT_ONCE) {
      const slice = hashes.slice(start, start + ASKED_AT_ONCE);
      for (const hash of await this.#parts.history.listUnnamed(slice)) {
        if (this.#isClosed) return;
        if (await this.#isOld(this.pathOf(hash))) await this.#remove(hash);
      }
    }
  }

  /**
   * A run may find the file at this moment and name it soon, which makes it new: so it is moved away
   * first, and moved back where it is new.
   */
  async #remove(hash: string): Promise<void> {
    const outgoing = join(this.#folder, OUTGOING_FOLDER, hash);
    await mkdir(dirname(outgoing), { recursive: true, mode: 0o700 });
    await rename(this.pathOf(hash), outgoing);
    if (await this.#isOld(outgoing)) await rm(outgoing, { force: true });
    else await rename(outgoing, this.pathOf(hash));
  }

  /** What a crash left on the way is new again: it may have been named since. */
  async #takeBack(): Promise<void> {
    const folder = join(this.#folder, OUTGOING_FOLDER);
    const now = new Date(this.#parts.clock.now());
    for (const hash of (await namesIn(folder)).filter((name) => HASH.test(name))) {
      await utimes(join(folder, hash), now, now);
      await rename(join(folder, hash), this.pathOf(hash));
    }
  }

  async #removeIfOld(path: string): Promise<void> {
    if (await this.#isOld(path)) await rm(path, { force: true });
  }

  /** False where it is gone: what a run writes has another place soon. */
  async #isOld(path: string): Promise<boolean> {
    try {
      return (await stat(path)).mtimeMs < this.#parts.clock.now() - REST_MS;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }
}

/** None where there is no such folder. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
