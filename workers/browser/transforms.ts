import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptFiles } from '#shared/checks/script-files.ts';
import { NotKept, readLeftFile } from './artifact-writer.ts';
import { TRANSFORMED_FILE } from './spec/job.ts';

/** Bytes of what is kept for one check, and for all. */
const LIMITS = { entryBytes: 2 * 1024 ** 2, allBytes: 32 * 1024 ** 2 };

/**
 * The files of checks as Playwright made them ready to run, which takes a sixth of a small run's time. A
 * run leaves them, and the next run of the same check with the same files finds them: what a script
 * could write there runs for nobody else.
 */
export class Transforms {
  readonly #kept = new Map<string, Buffer>();
  readonly #limits: typeof LIMITS;
  #bytes = 0;

  constructor(limits = LIMITS) {
    this.#limits = limits;
  }

  /** What runs of a check are to find; null where none left anything yet. */
  get(key: string): Buffer | null {
    const known = this.#kept.get(key);
    if (!known) return null;
    // What is used stays.
    this.#kept.delete(key);
    this.#kept.set(key, known);
    return known;
  }

  /** Takes what a run left, unless it is known already. */
  async take(folder: string, key: string): Promise<void> {
    const path = join(folder, TRANSFORMED_FILE);
    if (this.#kept.has(key) || !existsSync(path)) return;
    const content = await readLeftFile({ root: folder, path }, this.#limits.entryBytes).catch(
      ifNotKept,
    );
    if (content === null) return;
    this.#kept.set(key, content);
    this.#bytes += content.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= this.#limits.allBytes) return;
      this.#kept.delete(oldest);
      this.#bytes -= length;
    }
  }
}

function ifNotKept(error: unknown): null {
  if (error instanceof NotKept) return null;
  throw error;
}

/** Of a check and its files. */
export function keyOf(checkId: string, { script, texts }: ScriptFiles): string {
  return hash('sha256', JSON.stringify([checkId, script, ...texts]));
}
