import { createRequire } from 'node:module';
import type * as Ivm from 'isolated-vm';
import { type BundledLibrary, readBundle } from './libraries.ts';

// A CommonJS addon, loaded as such: importing it would scan its text with WebAssembly first.
const ivm = createRequire(import.meta.url)('isolated-vm') as typeof Ivm;

export interface IsolateOptions {
  /** Megabytes that one script may use. */
  memoryMb: number;
  /** Scripts after which an isolate is replaced. */
  runsPerIsolate: number;
  /** The text of the program that prepares a realm. */
  program: string;
}

/**
 * A function of the host that a realm may call. It gets copies, and must not trust that they are texts
 * and numbers.
 */
export type HostCall = (...args: readonly unknown[]) => string;

/** A way into a realm: an operation and texts. */
export type Enter = Ivm.Reference<(kind: string, first: string, second: unknown) => void>;

/** The only ways out of a realm, and what it starts with. */
export interface RealmNeeds {
  call: HostCall;
  log: HostCall;
  /** Plain data. */
  limits: object;
  /** The bundled libraries that the script is going to require. */
  libraries: readonly BundledLibrary[];
}

/** A realm made for one script. */
export interface Realm {
  context: Ivm.Context;
  enter: Enter;
}

/** An idle isolate with more live data than this is not used again. */
const MAX_IDLE_HEAP_BYTES = 24 * 1024 * 1024;

/** A warm isolate. Every script gets a context of its own in it, and nothing is shared between them. */
export class ScriptIsolate {
  readonly isolate: Ivm.Isolate;
  /** Called when V8 has lost the isolate and with it this process, which ends right after. */
  onCatastrophe: () => void = () => undefined;
  readonly #boot: Ivm.Script;
  readonly #libraries = new Map<string, Promise<Ivm.Script>>();
  #runs = 0;

  constructor({ memoryMb, program }: IsolateOptions) {
    this.isolate = new ivm.Isolate({
      memoryLimit: memoryMb,
      onCatastrophicError: () => this.#die(),
    });
    this.#boot = this.isolate.compileScriptSync(program, { filename: 'watchpost' });
  }

  get runs(): number {
    return this.#runs;
  }

  /**
   * A fresh realm. Made in this thread: no code of a script runs yet, and handing it to another
   * thread and back costs as much again (measured).
   */
  async realm({ call, log, limits, libraries }: RealmNeeds): Promise<Realm> {
    this.#runs++;
    const context = this.isolate.createContextSync();
    const boot = this.#boot.runSync(context, { reference: true });
    const args = [
      new ivm.Callback(call),
      new ivm.Callback(log, { ignored: true }),
      new ivm.ExternalCopy(limits).copyInto({ release: true }),
    ];
    const enter = boot.applySync(undefined, args, { result: { reference: true } });
    boot.release();
    const realm = { context, enter: enter as Enter };
    for (const library of libraries) await this.#provide(library, realm);
    return realm;
  }

  /** Lays a library ready. It runs when the script requires it, in the script's own realm. */
  async #provide({ name, entry }: BundledLibrary, { context, enter }: Realm): Promise<void> {
    const script = await (this.#libraries.get(entry) ?? this.#compile(entry));
    const factory = await script.run(context, { reference: true });
    await enter.apply(undefined, ['library', name, factory.derefInto({ release: true })]);
  }

  /** Once an isolate, from the code cache: measured, the first use costs a third, the second a tenth. */
  #compile(entry: string): Promise<Ivm.Script> {
    const { text, cache } = readBundle(entry);
    const filename = `library-${entry}`;
    const compiled = this.isolate.compileScript(text, {
      filename,
      ...(cache && { cachedData: new ivm.ExternalCopy(Uint8Array.from(cache).buffer) }),
    });
    this.#libraries.set(entry, compiled);
    return compiled;
  }

  /** Nothing in this process can be trusted any more, not even to exit by itself. */
  #die(): void {
    try {
      this.onCatastrophe();
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
  }
}

/** Keeps isolates warm between scripts. */
export class Isolates {
  readonly #options: IsolateOptions;
  readonly #idle: ScriptIsolate[] = [];

  constructor(options: IsolateOptions) {
    this.#options = options;
  }

  acquire(): ScriptIsolate {
    return this.#idle.pop() ?? new ScriptIsolate(this.#options);
  }

  /** Takes back an isolate in which nothing runs any more. */
  give(scriptIsolate: ScriptIsolate): void {
    scriptIsolate.onCatastrophe = () => undefined;
    if (scriptIsolate.isolate.isDisposed) return;
    const { used_heap_size, externally_allocated_size } =
      scriptIsolate.isolate.getHeapStatisticsSync();
    const worn = scriptIsolate.runs >= this.#options.runsPerIsolate;
    if (worn || used_heap_size + externally_allocated_size > MAX_IDLE_HEAP_BYTES) {
      scriptIsolate.isolate.dispose();
    } else this.#idle.push(scriptIsolate);
  }
}
