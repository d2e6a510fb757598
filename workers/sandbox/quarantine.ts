import { hash } from 'node:crypto';
import type { ScriptError } from '#shared/sandbox/script.ts';

/**
 * How a script's last run ended, where that was not well: an offender used up its time or its memory;
 * a suspect was lost with its host, in which others ran as well.
 */
export type Standing = 'offender' | 'suspect';

/** Most scripts that are remembered; the oldest are forgotten first. */
const MAX_KNOWN = 1_000;
const OFFENCES: readonly ScriptError['kind'][] = ['timeout', 'memory'];

/** Remembers by their text the scripts whose last run did harm, or may have. */
export class Quarantine {
  readonly #known = new Map<string, Standing>();

  /** Null for a script that nothing is known against. */
  standingOf(code: string): Standing | null {
    return this.#known.size === 0 ? null : (this.#known.get(keyOf(code)) ?? null);
  }

  /** Takes note of how a run of the script ended; a good run makes up for all before it. */
  judge(code: string, error: ScriptError | null, wasLost: boolean): void {
    if (wasLost) this.#add(keyOf(code), 'suspect');
    else if (error !== null && OFFENCES.includes(error.kind)) this.#add(keyOf(code), 'offender');
    else if (this.#known.size > 0) this.#known.delete(keyOf(code));
  }

  #add(key: string, standing: Standing): void {
    this.#known.delete(key);
    this.#known.set(key, standing);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

function keyOf(code: string): string {
  return hash('sha256', code, 'base64');
}
