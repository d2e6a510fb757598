import type { Clock } from '#shared/clock.ts';

/** Something close by that answers whenever the network of this machine works. */
export interface Probe {
  kind: 'gateway' | 'resolver' | 'anchor';
  /** Its address, or `host:port`. */
  name: string;
  /** Whether it answers within about a second. Never rejects. */
  ask(): Promise<boolean>;
}

/** A connectivity probe, as the API shows it. */
export interface ProbeView extends Pick<Probe, 'kind' | 'name'> {
  /** Epoch ms; null where it never has answered. */
  lastAnswerAt: number | null;
}

/**
 * What the probes answered together. `silent`: none did, though one answered of late. `unknown`: none
 * did, and none has answered of late, so that it proves nothing.
 */
export type ProbeVerdict = 'answered' | 'silent' | 'unknown';

/**
 * The silence of a probe that has not answered for so long proves nothing: it may be gone. The probes
 * are asked a few times within it while nothing fails.
 */
const RELIED_ON_MS = 15 * 60_000;

/** The connectivity probes of this machine, and when each last answered. */
export class Probes {
  readonly #find: () => Promise<Probe[]>;
  readonly #clock: Clock;
  #known: readonly Probe[] = [];
  readonly #answers = new Map<string, number>();

  /** @param find answers the probes that there are now; never rejects */
  constructor(find: () => Promise<Probe[]>, clock: Clock) {
    this.#find = find;
    this.#clock = clock;
  }

  /** Asks all; resolves as soon as one answers, or when none did. */
  async ask(): Promise<ProbeVerdict> {
    this.#known = remembered(this.#known, await this.#find());
    const names = new Set(this.#known.map(({ name }) => name));
    for (const name of this.#answers.keys()) if (!names.has(name)) this.#answers.delete(name);
    const isAnswered = await anyOf(this.#known.map((probe) => this.#askOne(probe)));
    if (isAnswered) return 'answered';
    return this.#isReliedOn() ? 'silent' : 'unknown';
  }

  async #askOne(probe: Probe): Promise<boolean> {
    const isAnswered = await probe.ask();
    if (isAnswered) this.#answers.set(probe.name, this.#clock.now());
    return isAnswered;
  }

  view(): ProbeView[] {
    return this.#known.map(({ kind, name }) => ({
      kind,
      name,
      lastAnswerAt: this.#answers.get(name) ?? null,
    }));
  }

  #isReliedOn(): boolean {
    const now = this.#clock.now();
    return this.view().some(
      ({ lastAnswerAt }) => lastAnswerAt !== null && now - lastAnswerAt <= RELIED_ON_MS,
    );
  }
}

/** Resolves with true as soon as one of them does, else with false when all are over. */
export async function anyOf(asked: readonly Promise<boolean>[]): Promise<boolean> {
  const { promise: first, resolve } = Promise.withResolvers<boolean>();
  const all = asked.map(async (one) => {
    if (await one) resolve(true);
  });
  return Promise.race([first, Promise.all(all).then(() => false)]);
}

/**
 * The probes that there are now; where the system names none of a kind any more, those that it named
 * before: a machine that loses its network forgets its gateway with it.
 */
function remembered(before: readonly Probe[], found: readonly Probe[]): Probe[] {
  const kinds = new Set(found.map(({ kind }) => kind));
  return [...found, ...before.filter(({ kind }) => !kinds.has(kind))];
}
