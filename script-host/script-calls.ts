import { MAX_SCRIPT_REQUESTS, type ScriptHttpRequest } from '#shared/run/script-host.ts';
import { Refusal, Services } from './services.ts';
import { readRequest } from './told.ts';

/** What calls of a realm lead to outside of it. */
export interface CallPorts {
  /** Has the runner make an HTTP request; `call` tells them apart. */
  send(call: number, request: ScriptHttpRequest): void;
  /** The earliest timer of the script is due. */
  wake(): void;
  /** The script has ended and left this. */
  done(text: string): void;
}

/** The calls that one script makes to its host, and what of them is still on its way back. */
export class ScriptCalls {
  readonly #ports: CallPorts;
  readonly #services = new Services();
  readonly #awaited = new Set<number>();
  #alarm: NodeJS.Timeout | undefined;
  #sent = 0;

  constructor(ports: CallPorts) {
    this.#ports = ports;
  }

  /** Whether an answer or a timer is on its way to the script. */
  get arePending(): boolean {
    return this.#awaited.size > 0 || this.#alarm !== undefined;
  }

  /** Throws {@link Refusal} where the script asks for what it cannot have. */
  answer(operation: string, first: string, second: string, third: string): string {
    if (operation === 'done') this.#ports.done(first);
    else if (operation === 'wake') this.#wakeIn(first);
    else if (operation === 'fetch') this.#fetch(Number(first), second);
    else return this.#services.serve(operation, [first, second, third]);
    return '';
  }

  /** Takes note that a request is answered; false for one that nobody waits for. */
  settle(call: number): boolean {
    return this.#awaited.delete(call);
  }

  /** Wakes nobody any more. */
  close(): void {
    clearTimeout(this.#alarm);
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
}
