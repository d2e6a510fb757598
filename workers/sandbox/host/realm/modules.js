/** Modules may require one another this deep. */
const MAX_DEPTH = 20;

/**
 * What `require` finds: safe equivalents of built-in modules and the libraries of the runtimes, each
 * made on first use, and snippets.
 */
export function makeModules(realm, { timers, http, calls }) {
  const { P } = realm;
  const loaded = new Map();
  const load = (name) => {
    if (!loaded.has(name)) loaded.set(name, FACTORIES[name]());
    return loaded.get(name);
  };
  const FACTORIES = {
    __proto__: null,
    util: () => makeUtil(),
    buffer: () => makeBuffer(),
    crypto: () => makeCrypto(realm, calls, load('buffer'), () => load('string_decoder')),
    zlib: () => makeZlib(realm, load('buffer').Buffer, () => load('stream')),
    stream: () => libraries.require('stream'),
    'stream/promises': () => load('stream').promises,
    url: () => makeUrl(realm),
    querystring: () => makeQuerystring(),
    assert: () => makeAssert(load('util')),
    path: () => libraries.require('path'),
    'path/posix': () => load('path'),
    events: () => libraries.require('events'),
    string_decoder: () => libraries.require('string_decoder'),
    timers: () => ({ ...timers.functions }),
    'timers/promises': () => makeTimerPromises(timers.functions),
    axios: () => makeAxios(http, load('url'), load('abort'), timers.functions),
    'form-data': () => makeFormData(load('crypto'), load('buffer').Buffer),
    encoding: () => makeEncoding(load('buffer').Buffer),
    abort: () => makeAbort(timers.functions),
    headers: () => ({ Headers: makeHeaders() }),
    globals: () => makeGlobals(realm),
  };
  const requirable = [
    'util',
    'buffer',
    'crypto',
    'zlib',
    'stream',
    'stream/promises',
    'url',
    'querystring',
    'assert',
    'path',
    'path/posix',
    'events',
    'string_decoder',
    'timers',
    'timers/promises',
    'axios',
    'form-data',
  ];
  const snippets = makeSnippets(realm, (name) => require(name));
  const libraries = makeLibraries(realm, { names: requirable.join(', '), find: findOwn });

  /** A module that the realm makes itself; undefined where it is none. */
  function findOwn(name) {
    const plain = P.startsWith(name, 'node:') ? P.slice(name, 5) : name;
    for (let index = 0; index < requirable.length; index++) {
      if (requirable[index] === plain) return load(plain);
    }
    return undefined;
  }

  function require(name) {
    if (typeof name !== 'string') throw new TypeError('require() needs the name of a module');
    if (P.startsWith(name, './snippets/')) return snippets(P.slice(name, 11));
    return findOwn(name) ?? libraries.require(name);
  }

  return {
    require,
    load,
    provide: libraries.provide,
    installLazyGlobals: () => installLazyGlobals(load),
  };
}

/** Globals that cost something to make are made when they are first read. */
export function installLazyGlobals(load) {
  const lazy = {
    Buffer: ['buffer', 'Buffer'],
    atob: ['buffer', 'atob'],
    btoa: ['buffer', 'btoa'],
    crypto: ['crypto', 'webcrypto'],
    URL: ['url', 'URL'],
    URLSearchParams: ['url', 'URLSearchParams'],
    TextEncoder: ['encoding', 'TextEncoder'],
    TextDecoder: ['encoding', 'TextDecoder'],
    AbortController: ['abort', 'AbortController'],
    AbortSignal: ['abort', 'AbortSignal'],
    Headers: ['headers', 'Headers'],
    performance: ['globals', 'performance'],
    structuredClone: ['globals', 'structuredClone'],
  };
  for (const [name, [module, member]] of Object.entries(lazy)) {
    const put = (value) =>
      Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
    Object.defineProperty(globalThis, name, {
      get: () => load(module)[member],
      set: put,
      configurable: true,
    });
  }
}

/**
 * Loads libraries in the realm of the script, each once a run, so that nothing of them outlives it.
 * Those that its text names are laid ready by the host, compiled; the text of others is asked for.
 * A library gets the realm's own modules, which the script has too, and nothing else.
 */
export function makeLibraries({ P, ask }, own) {
  const provided = new Map();
  const exportsOf = new Map();
  const requireOwn = (name) => {
    const found = own.find(name);
    if (found === undefined) throw new P.Error(`Cannot require "${name}" from a library`);
    return found;
  };
  const factoryOf = (name) =>
    provided.get(name) ??
    P.evaluate(`${ask('library', name, own.names)}\n//# sourceURL=library-${name}`);
  const require = (name) => {
    const known = exportsOf.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    factoryOf(name)(module.exports, requireOwn, module);
    exportsOf.set(name, module);
    return module.exports;
  };
  return { require, provide: (name, factory) => provided.set(name, factory) };
}

/** Loads snippets as CommonJS modules, each once a run. */
export function makeSnippets(realm, require) {
  const { P } = realm;
  const exportsOf = new Map();
  let depth = 0;

  return (file) => {
    const name = P.endsWith(file, '.js') ? P.slice(file, 0, -3) : file;
    const { snippets } = realm.task;
    const code = P.getOwn(snippets, name)?.value;
    if (typeof code !== 'string') throw new Error(`There is no snippet "${P.slice(name, 0, 200)}"`);
    const known = exportsOf.get(name);
    if (known) return known.exports;
    if (depth >= MAX_DEPTH) throw new Error(`Snippets require one another too deeply at "${name}"`);
    const module = { exports: {} };
    exportsOf.set(name, module);
    depth++;
    try {
      compileSnippet(P, name, code)(module.exports, require, module);
    } catch (error) {
      exportsOf.delete(name);
      throw error;
    } finally {
      depth--;
    }
    return module.exports;
  };
}

export function compileSnippet(P, name, code) {
  const origin = `\n//# sourceURL=snippet-${name.replace(/[^\w.-]/g, '_')}.js`;
  try {
    return P.evaluate(`(function (exports, require, module) {${code}\n})${origin}`);
  } catch (error) {
    throw new SyntaxError(`${error.message} (in snippet "${name}")`);
  }
}
