/** The console of a realm: every line goes to the log of the run, within its limits. */
export function makeConsole({ P, log, limits }, modules) {
  let lines = 0;
  let chars = 0;
  let full = false;
  const counts = new Map();
  const started = new Map();

  const write = (level, value) => {
    if (full) return;
    // A script may have put its own function in the place of `format`.
    const text = P.String(value);
    full = lines >= limits.logLines || chars + text.length > limits.logChars;
    lines++;
    chars += text.length;
    if (full) log(P.now(), 'WARN', 'The script logs too much; its further lines are left out');
    else log(P.now(), level, text);
  };
  const at =
    (level) =>
    (...args) =>
      write(level, modules.load('util').format(...args));
  const [debug, info, warn, error] = [at('DEBUG'), at('INFO'), at('WARN'), at('ERROR')];
  const elapsed = (label) => `${label}: ${P.now() - (started.get(label) ?? P.now())} ms`;
  return {
    debug,
    info,
    warn,
    error,
    log: info,
    dir: (value) => info(value),
    dirxml: info,
    table: (value) => info(value),
    trace: (...args) => debug('Trace:', ...args),
    group: info,
    groupCollapsed: info,
    groupEnd: () => undefined,
    assert: (holds, ...args) => {
      if (!holds) error('Assertion failed', ...args);
    },
    count: (label = 'default') => {
      if (counts.size < 1_000) counts.set(label, (counts.get(label) ?? 0) + 1);
      info(`${label}: ${counts.get(label)}`);
    },
    countReset: (label = 'default') => {
      counts.delete(label);
    },
    time: (label = 'default') => {
      if (started.size < 1_000) started.set(label, P.now());
    },
    timeLog: (label = 'default') => info(elapsed(label)),
    timeEnd: (label = 'default') => {
      info(elapsed(label));
      started.delete(label);
    },
  };
}
