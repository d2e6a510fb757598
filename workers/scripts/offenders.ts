import { hash } from 'node:crypto';
import type { ScriptError } from '#shared/run/script.ts';

/** Most scripts that are remembered; the oldest are forgotten first. */
const MAX_KNOWN = 1_000;
const OFFENCES: readonly ScriptError['kind'][] = ['timeout', 'memory'];

/** Remembers by their text the scripts whose last run used up its time or its memory. */
export class Offenders {
  readonly #known = new Set<string>();

  has(code: string): boolean {
    return this.#known.size > 0 && this.#known.has(keyOf(code));
  }

  /** Takes note of how a run of the script ended; a good run makes up for all before it. */
  judge(code: string, error: ScriptError | null): void {
    if (error !== null && OFFENCES.includes(error.kind)) this.#add(keyOf(code));
    else if (this.#known.size > 0) this.#known.delete(keyOf(code));
  }

  #add(key: string): void {
    this.#known.delete(key);
    this.#known.add(key);
    const [oldest] = this.#known;
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

function keyOf(code: string): string {
  return hash('sha256', code, 'base64');
}
