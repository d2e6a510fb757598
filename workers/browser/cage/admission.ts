import type { Clock } from '#shared/clock.ts';

/** A run that may begin. */
export interface Admitted {
  /** Milliseconds that it waited. */
  waitedMs: number;
  release(): void;
}

/** Why a run may not begin: `full`: it waited as long as it may. */
export interface NotAdmitted {
  why: 'full' | 'stopped';
  waitedMs: number;
  message: string;
}

interface AdmissionOptions {
  atOnce: number;
  /** Bytes. */
  freeMemory(): number;
  /** Called with every look for which too little is free: frees what nobody needs, for a later look. */
  makeRoom?(): void;
  clock?: Clock;
}

/** Of this thread; it never goes back. */
export const OWN_CLOCK: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

/** What a run may well use, so that it begins only where so much is free: 130 MB for a small page, measured. */
const BYTES_PER_RUN = 400 * 1024 ** 2;
/** How long a run takes until its memory shows as used. */
const START_MS = 5_000;
/** The dispatcher gives a run up that was silent for ten seconds longer. */
export const LONGEST_WAIT_MS = 110_000;
const LOOK_MS = 250;

interface Waiter {
  since: number;
  resolve(outcome: Admitted | NotAdmitted): void;
}

/**
 * Lets so many runs begin at once, and each only while there is memory for it. Others wait, first come,
 * first served, and not for ever.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #clock: Clock;
  /** When each run under way began. */
  readonly #running = new Set<{ since: number }>();
  readonly #waiting: Waiter[] = [];
  #timer: unknown;
  #isStopped = false;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#clock = options.clock ?? OWN_CLOCK;
  }

  /** Resolves when the run may begin, or will not. */
  admit(): Promise<Admitted | NotAdmitted> {
    return new Promise((resolve) => {
      this.#waiting.push({ since: this.#clock.now(), resolve });
      this.#look();
    });
  }

  /** Nobody is admitted any more; who waits is told. */
  stop(): void {
    this.#isStopped = true;
    this.#look();
  }

  /** Admits and refuses whoever it is time for; looks again while somebody waits. */
  #look(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const outcome = this.#outcomeFor(first);
      if (outcome === null) break;
      this.#waiting.shift();
      first.resolve(outcome);
    }
    if (this.#waiting.length > 0) this.#timer = this.#clock.setTimeout(() => this.#look(), LOOK_MS);
  }

  /** Null for one that waits on. */
  #outcomeFor({ since }: Waiter): Admitted | NotAdmitted | null {
    const waitedMs = this.#clock.now() - since;
    if (this.#isStopped) return { why: 'stopped', waitedMs, message: 'The appliance stopped.' };
    const obstacle = this.#obstacle();
    if (obstacle === null) return this.#begin(waitedMs);
    return waitedMs < LONGEST_WAIT_MS ? null : { why: 'full', waitedMs, message: obstacle };
  }

  #begin(waitedMs: number): Admitted {
    const run = { since: this.#clock.now() };
    this.#running.add(run);
    const release = () => {
      if (this.#running.delete(run)) this.#look();
    };
    return { waitedMs, release };
  }

  /** What keeps the next run from beginning, in a sentence. */
  #obstacle(): string | null {
    const { atOnce, freeMemory } = this.#options;
    const waited = `The run did not begin within ${LONGEST_WAIT_MS / 1_000} s:`;
    if (this.#running.size >= atOnce) {
      return `${waited} ${atOnce} others were under way, as many as the setting browsersAtOnce (WATCHPOST_BROWSERS) allows.`;
    }
    const free = freeMemory() - this.#startingBytes();
    if (free >= BYTES_PER_RUN) return null;
    this.#options.makeRoom?.();
    const [wanted, found] = [BYTES_PER_RUN, Math.max(0, free)].map((it) =>
      Math.round(it / 1024 ** 2),
    );
    return `${waited} ${found} MB of memory were free, and it needs ${wanted} MB; a lower WATCHPOST_BROWSERS leaves more to each.`;
  }

  /** What runs that have just begun are still to take. */
  #startingBytes(): number {
    const now = this.#clock.now();
    const starting = [...this.#running].filter(({ since }) => now - since < START_MS);
    return starting.length * BYTES_PER_RUN;
  }
}
