/** Most timers that one script may have waiting. */
const MAX_TIMERS = 1_000;

/** node:timers/promises without its intervals. */
export function makeTimerPromises({ setTimeout, setImmediate }) {
  return {
    setTimeout: (delay, value) => new Promise((resolve) => setTimeout(resolve, delay, value)),
    setImmediate: (value) => new Promise((resolve) => setImmediate(resolve, value)),
  };
}

/**
 * Timers of a realm. The host keeps one alarm a run, for the earliest of them, so that no script
 * can make it keep more.
 */
export function makeTimers({ P, ask, fail }) {
  const waiting = new Map();
  let lastId = 0;
  let alarm = 0;

  const setAlarm = () => {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { at } of waiting.values()) if (at < earliest) earliest = at;
    if (earliest === alarm || (waiting.size === 0 && alarm === 0)) return;
    alarm = waiting.size === 0 ? 0 : earliest;
    ask('wake', alarm === 0 ? '' : String(Math.max(0, alarm - P.now())));
  };
  const add = (task, delay, args, repeats) => {
    if (typeof task !== 'function') throw new TypeError('A timer needs a function to call');
    if (waiting.size >= MAX_TIMERS) throw new Error(`More than ${MAX_TIMERS} timers are waiting`);
    const ms = Math.min(Math.max(1, Number(delay) || 1), 2 ** 31 - 1);
    const id = ++lastId;
    waiting.set(id, { at: P.now() + ms, every: repeats ? ms : null, task, args });
    setAlarm();
    return id;
  };
  const clear = (id) => {
    if (waiting.delete(id)) setAlarm();
  };
  const fire = (id, timer) => {
    if (timer.every === null) waiting.delete(id);
    else timer.at = P.now() + timer.every;
    try {
      timer.task(...timer.args);
    } catch (error) {
      fail(error);
    }
  };
  const wake = () => {
    alarm = 0;
    const now = P.now();
    const due = [...waiting].filter(([, { at }]) => at <= now).sort(([, a], [, b]) => a.at - b.at);
    for (const [id, timer] of due) if (waiting.has(id)) fire(id, timer);
    setAlarm();
  };
  const setTimeout = (task, delay, ...args) => add(task, delay, args, false);
  const resolved = Promise.resolve();
  return {
    wake,
    functions: {
      setTimeout,
      setInterval: (task, delay, ...args) => add(task, delay, args, true),
      setImmediate: (task, ...args) => add(task, 1, args, false),
      clearTimeout: clear,
      clearInterval: clear,
      clearImmediate: clear,
      queueMicrotask: (task) => {
        resolved.then(() => task()).catch(fail);
      },
    },
  };
}
