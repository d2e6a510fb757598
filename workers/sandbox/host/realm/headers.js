/** Header fields of `fetch`: names in any case, values of one name joined. */
export function makeHeaders() {
  return class Headers {
    #fields = new Map();
    constructor(init) {
      for (const [name, value] of headerEntries(init)) this.append(name, value);
    }
    append(name, value) {
      const before = this.get(name);
      this.set(name, before === null ? value : `${before}, ${value}`);
    }
    set(name, value) {
      this.#fields.set(String(name).toLowerCase(), String(value));
    }
    get(name) {
      return this.#fields.get(String(name).toLowerCase()) ?? null;
    }
    has(name) {
      return this.#fields.has(String(name).toLowerCase());
    }
    delete(name) {
      this.#fields.delete(String(name).toLowerCase());
    }
    forEach(task, self) {
      for (const [name, value] of this) task.call(self, value, name, this);
    }
    keys() {
      return [...this].map(([name]) => name).values();
    }
    values() {
      return [...this].map(([, value]) => value).values();
    }
    entries() {
      return [...this.#fields].sort(([a], [b]) => (a < b ? -1 : 1)).values();
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    [CONTENT]() {
      return [...this];
    }
  };
}

/** Names and values of what may stand for header fields: Headers, a list of pairs, an object. */
export function headerEntries(headers) {
  if (headers === undefined || headers === null) return [];
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return entries.filter(([, value]) => value !== undefined && value !== null);
}

/** Header fields as an object with names in lower case. */
export function plainHeaders(headers) {
  return Object.fromEntries(
    headerEntries(headers).map(([name, value]) => [String(name).toLowerCase(), String(value)]),
  );
}
