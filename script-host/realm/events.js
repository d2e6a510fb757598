/** Listeners that one name may have: a bound of ours, far beyond what an honest script needs. */
const MAX_LISTENERS = 1_000;

/** The EventEmitter of node:events, and `once` as a promise. */
export function makeEvents() {
  class EventEmitter {
    #listeners = new Map();
    #of(name) {
      return this.#listeners.get(name) ?? [];
    }
    #keep(name, listeners) {
      if (listeners.length > MAX_LISTENERS) throw new RangeError('Too many listeners');
      if (listeners.length > 0) this.#listeners.set(name, listeners);
      else this.#listeners.delete(name);
      return this;
    }
    on(name, call) {
      return this.#keep(name, [...this.#of(name), { call, once: false }]);
    }
    once(name, call) {
      return this.#keep(name, [...this.#of(name), { call, once: true }]);
    }
    prependListener(name, call) {
      return this.#keep(name, [{ call, once: false }, ...this.#of(name)]);
    }
    off(name, call) {
      const at = this.#of(name).findLastIndex((one) => one.call === call);
      return at < 0 ? this : this.#keep(name, this.#of(name).toSpliced(at, 1));
    }
    removeAllListeners(name) {
      if (name === undefined) this.#listeners.clear();
      else this.#listeners.delete(name);
      return this;
    }
    emit(name, ...args) {
      const called = this.#of(name);
      if (called.length === 0 && name === 'error') {
        throw args[0] instanceof Error ? args[0] : new Error(`Unhandled error: ${args[0]}`);
      }
      for (const one of called) {
        if (one.once) {
          this.#keep(
            name,
            this.#of(name).filter((other) => other !== one),
          );
        }
        one.call.apply(this, args);
      }
      return called.length > 0;
    }
    listenerCount(name) {
      return this.#of(name).length;
    }
    listeners(name) {
      return this.#of(name).map(({ call }) => call);
    }
    eventNames() {
      return [...this.#listeners.keys()];
    }
    setMaxListeners() {
      return this;
    }
  }
  const { on, off } = EventEmitter.prototype;
  Object.assign(EventEmitter.prototype, { addListener: on, removeListener: off });

  const once = (emitter, name) =>
    new Promise((resolve, reject) => {
      const fail = (error) => {
        emitter.off(name, take);
        reject(error);
      };
      const take = (...args) => {
        emitter.off('error', fail);
        resolve(args);
      };
      emitter.once(name, take);
      if (name !== 'error') emitter.once('error', fail);
    });
  return Object.assign(EventEmitter, { EventEmitter, default: EventEmitter, once });
}
