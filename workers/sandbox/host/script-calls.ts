import { MAX_SCRIPT_REQUESTS, type ScriptHttpRequest } from '#shared/sandbox/script-host.ts';
import { Derivations } from './derivation.ts';
import { HostTime } from './host-time.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { readRequest } from './script-outcome.ts';
import { Services } from './services.ts';

/** What calls of a realm lead to outside of it. */
export interface CallPorts {
  /** Has the runner make an HTTP request; `call` tells them apart. */
  send(call: number, request: ScriptHttpRequest): void;
  /** The earliest timer of the script is due. */
  wake(): void;
  /** What the script waits for is there, as JSON; `ms` of this thread went into it. */
  answer(call: number, text: string, ms: number): void;
  /** The script has ended and left this. */
  done(text: string): void;
}

/** The calls that one script makes to its host, and what of them is still on its way back. */
export class ScriptCalls {
  readonly #ports: CallPorts;
  readonly #time = new HostTime();
  readonly #services: Services;
  readonly #derivations = new Derivations();
  readonly #awaited = new Set<number>();
  #alarm: NodeJS.Timeout | undefined;
  #sent = 0;

  constructor(ports: CallPorts, runtimeId: string) {
    this.#ports = ports;
    this.#services = new Services(runtimeId);
  }

  /** Whether an answer or a timer is on its way to the script. */
  get arePending(): boolean {
    return this.#awaited.size > 0 || this.#alarm !== undefined;
  }

  /**
   * Answers a call: an operation and what it takes. Throws {@link Refusal} where the script asks for
   * what it cannot have. The realm hands over texts and numbers only, within its own time; what is
   * neither is not even looked at here, because `String` of it would be the script's own code.
   */
  answer(args: readonly unknown[]): string {
    if (!args.every(isPlain)) throw new Refusal('Only texts and numbers can be handed to the host');
    const [operation = '', ...given] = args.map(String);
    if (operation === 'done') return this.#done(given);
    const chars = given.reduce((sum, { length }) => sum + length, 0);
    return this.#time.spendOn(chars, () => this.#serve(operation, given));
  }

  /** Takes note that a request is answered, which took `ms` of the host's thread; false where nobody waits for it. */
  answered(call: number, ms: number): boolean {
    this.#time.spend(ms);
    return this.#awaited.delete(call);
  }

  /** Wakes nobody any more. */
  close(): void {
    clearTimeout(this.#alarm);
  }

  #done([text = '']: string[]): string {
    this.#ports.done(text);
    return '';
  }

  #serve(operation: string, [first = '', second = '', third = '']: string[]): string {
    if (operation === 'wake') this.#wakeIn(first);
    else if (operation === 'fetch') this.#fetch(Number(first), second);
    else if (operation === 'derive-later') this.#derive(Number(first), second);
    else return this.#services.serve(operation, [first, second, third]);
    return '';
  }

  #wakeIn(text: string): void {
    clearTimeout(this.#alarm);
    this.#alarm = undefined;
    if (text === '') return;
    this.#alarm = setTimeout(() => {
      this.#alarm = undefined;
      this.#ports.wake();
    }, Number(text));
  }

  #fetch(call: number, text: string): void {
    if (this.#sent >= MAX_SCRIPT_REQUESTS) {
      throw new Refusal(`A script may make at most ${MAX_SCRIPT_REQUESTS} requests`);
    }
    const request = readRequest(text);
    this.#sent++;
    this.#awaited.add(call);
    this.#ports.send(call, request);
  }

  #derive(call: number, text: string): void {
    const derived = this.#derivations.derive(text);
    this.#awaited.add(call);
    derived.then(
      (key) => this.#ports.answer(call, JSON.stringify({ response: key }), 0),
      (error: unknown) => this.#ports.answer(call, JSON.stringify({ refusal: describe(error) }), 0),
    );
  }
}

/** What a script is told of an error. */
function describe(error: unknown): object {
  const { message, node } = refusalOf(error);
  return { message, ...node };
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
