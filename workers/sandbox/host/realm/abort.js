/**
 * AbortController and AbortSignal. They end the waiting of a script; the request itself ends with the
 * script at the latest.
 */
export function makeAbort({ setTimeout, queueMicrotask }) {
  const named = (name, message) => Object.assign(new Error(message), { name });
  const listenersOf = new WeakMap();

  const end = (signal, reason = named('AbortError', 'This operation was aborted')) => {
    if (signal.aborted) return;
    Object.assign(signal, { aborted: true, reason });
    const event = { type: 'abort', target: signal };
    const listeners = [signal.onabort, ...listenersOf.get(signal)];
    listenersOf.delete(signal);
    for (const listener of listeners) notify(listener, signal, event);
  };
  /** The error of one listener ends the script, as in Node, but neither the others nor the abort. */
  const notify = (listener, signal, event) => {
    try {
      if (typeof listener === 'function') listener.call(signal, event);
      else listener?.handleEvent?.(event);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };

  class AbortSignal {
    aborted = false;
    reason = undefined;
    onabort = null;
    constructor() {
      listenersOf.set(this, new Set());
    }
    static abort(reason) {
      const signal = new AbortSignal();
      end(signal, reason);
      return signal;
    }
    static timeout(delay) {
      const signal = new AbortSignal();
      const reason = named('TimeoutError', 'The operation was aborted due to timeout');
      setTimeout(() => end(signal, reason), delay);
      return signal;
    }
    static any(signals) {
      const signal = new AbortSignal();
      for (const one of signals) {
        if (one.aborted) end(signal, one.reason);
        else one.addEventListener('abort', () => end(signal, one.reason));
      }
      return signal;
    }
    addEventListener(type, listener) {
      if (type === 'abort') listenersOf.get(this)?.add(listener);
    }
    removeEventListener(type, listener) {
      if (type === 'abort') listenersOf.get(this)?.delete(listener);
    }
    throwIfAborted() {
      if (this.aborted) throw this.reason;
    }
  }

  class AbortController {
    signal = new AbortSignal();
    abort(reason) {
      end(this.signal, reason);
    }
  }
  return { AbortController, AbortSignal };
}

/** What a promise becomes, or the reason of the signal where that is first. */
export function unlessAborted(promise, signal) {
  // A library may bring a signal of its own that never tells.
  if (typeof signal?.addEventListener !== 'function') return promise;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
    promise.then(resolve, reject);
  });
}
