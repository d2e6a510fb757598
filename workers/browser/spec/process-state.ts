import { readdirSync } from 'node:fs';
import { createRequire, isBuiltin, registerHooks } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { common, isOfPlaywright, publicObjects, releaseWorker } from './playwright.ts';

const require = createRequire(import.meta.url);

/** Modules of Node that a script could change for everybody. */
const BUILTINS = [
  ...['assert', 'buffer', 'child_process', 'console', 'crypto', 'dns', 'events', 'fs'],
  ...['fs/promises', 'http', 'http2', 'https', 'module', 'net', 'os', 'path', 'perf_hooks'],
  ...['process', 'querystring', 'stream', 'stream/promises', 'timers', 'timers/promises', 'tls'],
  ...['url', 'util', 'v8', 'vm', 'zlib'],
];

/** What Node itself changes in them. */
const OF_NODE: readonly PropertyKey[] = ['_events', '_eventsCount', 'exitCode'];

/** How often, and after how many milliseconds, it is looked whether what a run began has ended. */
const LOOKS = 20;
const LOOK_MS = 5;

type Shape = ReadonlyMap<PropertyKey, PropertyDescriptor>;

/**
 * How this process was before the script ran in it. Where it is so again after a run, it may run the script
 * another time: nothing is left that the next run could meet.
 */
export class ProcessState {
  readonly #env = { ...process.env };
  readonly #modules = new Set(Object.keys(require.cache));
  readonly #shapes = new Map<object, Shape>();
  readonly #surroundings: string;
  #hasEsModules = false;

  /** Must be there before the script is loaded. */
  constructor() {
    common.transform.installTransformIfNeeded();
    releaseWorker();
    for (const object of sharedObjects()) this.#shapes.set(object, shapeOf(object));
    this.#watchEsModules();
    this.#surroundings = surroundings();
  }

  /** Takes back what can be. @returns whether all is as it was */
  async restore(): Promise<boolean> {
    releaseWorker();
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.#env);
    this.#unload();
    if (this.#hasEsModules || !this.#areObjectsSame()) return false;
    for (let look = 0; look < LOOKS; look++) {
      if (surroundings() === this.#surroundings) return true;
      await wait(LOOK_MS);
    }
    return false;
  }

  /** Those that Node cannot load anew, as what `import()` gets. */
  #watchEsModules(): void {
    registerHooks({
      resolve: (specifier, context, next) => {
        this.#hasEsModules ||= context.conditions.includes('import') && !isBuiltin(specifier);
        return next(specifier, context);
      },
      load: (url, context, next) => {
        const loaded = next(url, context);
        this.#hasEsModules ||= loaded.format === 'module';
        return loaded;
      },
    });
  }

  /** The next run loads its packages anew. Playwright stays, and holds nothing of a run. */
  #unload(): void {
    for (const path of Object.keys(require.cache)) {
      if (!this.#modules.has(path) && !isOfPlaywright(path)) delete require.cache[path];
    }
  }

  #areObjectsSame(): boolean {
    return [...this.#shapes].every(([object, shape]) => isSame(shape, object));
  }
}

/** What all code of the process shares: globals and modules of Node and of Playwright, and what is in them. */
function sharedObjects(): Set<object> {
  const roots = [globalThis, ...BUILTINS.map((name): object => require(name)), ...publicObjects];
  const all = new Set<object>(roots);
  for (const root of roots) {
    for (const { value } of shapeOf(root).values()) {
      if (!isObject(value)) continue;
      all.add(value);
      const prototype = Object.getOwnPropertyDescriptor(value, 'prototype')?.value;
      if (isObject(prototype)) all.add(prototype);
    }
  }
  for (const object of CHANGING) all.delete(object);
  return all;
}

/** What Node notes down in them, or what is put back, makes no difference to a script. */
const CHANGING: readonly object[] = [
  ...[process.env, require.cache, require('node:module')._pathCache],
  (process as unknown as { moduleLoadList: object }).moduleLoadList,
];

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Not of arrays of bytes, which may be long. */
function shapeOf(object: object): Shape {
  if (ArrayBuffer.isView(object)) return new Map();
  const keys = Reflect.ownKeys(object).filter((key) => !OF_NODE.includes(key));
  return new Map(keys.map((key) => [key, Object.getOwnPropertyDescriptor(object, key) ?? {}]));
}

/** Whether it has no other members, nor other values of them; one that is undefined may as well be missing. */
function isSame(before: Shape, object: object): boolean {
  for (const key of Reflect.ownKeys(object)) {
    if (before.has(key) || OF_NODE.includes(key)) continue;
    if (Object.getOwnPropertyDescriptor(object, key)?.value !== undefined) return false;
  }
  for (const [key, was] of before) {
    const is = Object.getOwnPropertyDescriptor(object, key);
    if (!isAs(was, is ?? {}, object)) return false;
  }
  return true;
}

function isAs(was: PropertyDescriptor, is: PropertyDescriptor, object: object): boolean {
  // What Node loads when it is first asked for, such as `fetch`.
  if (was.get && !is.get) return Object.is(was.get.call(object), is.value);
  return Object.is(was.value, is.value) && was.get === is.get && was.set === is.set;
}

/** Timers, sockets, open files, listeners, and files in folders that one cage has for all of its runs. */
function surroundings(): string {
  return JSON.stringify([
    process.getActiveResourcesInfo().toSorted(),
    process
      .eventNames()
      .map((name) => [String(name), process.listenerCount(name)])
      .toSorted(),
    filesIn('/proc/self/fd').length,
    process.umask(),
    // Another process than the first one sees those of the machine.
    process.pid === 1 ? [filesIn('/tmp'), filesIn('/dev/shm')] : [],
  ]);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder);
}
