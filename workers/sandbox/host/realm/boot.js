/**
 * Makes a realm ready for one script: its globals, its modules and its way back to the host.
 *
 * @param call asks the host at once: an operation and texts in, a text out, `+answer` or a
 *   problem: `-` and words of ours, or `!` and an error of Node as JSON
 * @param log hands a line of the log to the host: time, level, text
 * @param limits of the run
 * @returns the host's way in: 'library', 'start', 'wake' and 'fetched'
 */
export function bootRealm(call, log, limits) {
  hardenRealm();
  const P = takePrimordials();
  const hand = makeHand(P, call, limits.callChars);
  const ask = (operation, first = '', second = '', third = '') =>
    readAnswer(P, hand(operation, first, second, third));
  const realm = {
    P,
    ask,
    log,
    limits,
    task: null,
    load: null,
    fail: (error) => finish(error, 'thrown'),
  };
  const reader = makeReader(P, limits.exchangedChars);
  const timers = makeTimers(realm);
  const calls = makeCalls(realm);
  const http = makeHttp(realm, calls);
  const modules = makeModules(realm, { timers, http, calls });
  realm.load = modules.load;
  let given = null;
  let ended = false;

  /** Tells the host how the script ended; only the first call counts. */
  function finish(error, kind) {
    if (ended) return;
    ended = true;
    const told = P.create(null);
    told.error = kind === null ? null : describeError(P, error, kind);
    try {
      readResult(told);
    } catch (problem) {
      leaveAsGiven(told, problem);
    }
    hand('done', P.stringify(told), '', '');
  }

  function readResult(told) {
    const request = P.global.request ?? given.request;
    told.request = realm.task.phase === 'setup' ? reader.request(request) : null;
    told.response = null;
    if (given.response !== null) {
      told.response = reader.response(P.global.response ?? given.response);
    }
    reader.restart();
    told.env = reader.texts(P.global.process?.env ?? given.env);
  }

  function leaveAsGiven(told, problem) {
    told.request = null;
    told.response = null;
    told.env = null;
    if (told.error !== null) return;
    const tooLarge = problem === reader.TOO_LARGE;
    told.error = describeError(P, tooLarge ? new P.Error('') : problem, 'thrown');
    if (tooLarge) told.error.kind = 'too-large';
  }

  async function start(taskText, main) {
    try {
      realm.task = P.parse(taskText);
      given = installGlobals(realm, modules, { timers, http });
      await main();
    } catch (error) {
      finish(error, 'thrown');
      return;
    }
    finish(null, null);
  }

  return (kind, first, second) => {
    if (ended) return;
    if (kind === 'start') start(first, second);
    else if (kind === 'library') modules.provide(first, second);
    else if (kind === 'wake') timers.wake();
    else calls.resolveCall(first, second);
  };
}

/**
 * The only way to the host. Nothing but texts and numbers passes: the host would have to read anything
 * else by the script's own code, outside of the script's time. They are told by their type, because
 * no script can change that.
 */
export function makeHand(P, call, maxChars) {
  const charsOf = (value) => {
    if (typeof value === 'string') return value.length;
    if (typeof value === 'number') return 0;
    throw new P.TypeError('Only texts and numbers can be handed to the host');
  };
  return (operation, first, second, third) => {
    const chars = charsOf(first) + charsOf(second) + charsOf(third);
    if (chars > maxChars) throw new P.Error('This is more text than the host takes at once');
    return call(operation, first, second, third);
  };
}

/** Puts in place what a script finds around it, and returns the objects that are read at its end. */
export function installGlobals(realm, modules, { timers, http }) {
  const { P, task } = realm;
  const request = task.phase === 'setup' ? task.request : frozenRequest(P, task.request);
  const response = task.response;
  const env = task.env;
  const put = (name, value) =>
    P.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  put('request', request);
  put('response', response === null ? undefined : response);
  put('process', makeProcess(P, env, task.node));
  put('console', makeConsole(realm, modules));
  put('require', modules.require);
  put('global', globalThis);
  put('module', { exports: {} });
  put('exports', globalThis.module.exports);
  put('fetch', http.fetch);
  const functions = P.ownKeys(timers.functions);
  for (let index = 0; index < functions.length; index++) {
    put(functions[index], timers.functions[functions[index]]);
  }
  modules.installLazyGlobals();
  return { request, response, env };
}

/** In teardown the request is for reading only (specification 1.1). */
export function frozenRequest(P, request) {
  P.freeze(request.headers);
  P.freeze(request.queryParameters);
  return P.freeze(request);
}

/** The few members of `process` that scripts read. */
export function makeProcess(P, env, version) {
  const started = P.now();
  return {
    env,
    argv: [],
    platform: 'linux',
    version,
    versions: { node: P.slice(version, 1) },
    cwd: () => '/',
    uptime: () => (P.now() - started) / 1_000,
    nextTick: (task, ...args) => queueMicrotask(() => task(...args)),
  };
}
