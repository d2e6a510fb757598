/** URL and URLSearchParams. The host parses: a realm gets the parts as text. */
export function makeUrl({ ask, P }) {
  const URLSearchParams = makeSearchParams();
  const PARTS = [
    'href',
    'protocol',
    'username',
    'password',
    'host',
    'hostname',
    'port',
    'pathname',
    'search',
    'hash',
  ];

  class URL {
    #parts;
    #params = null;
    constructor(url, base) {
      this.#parts = P.parse(ask('url', String(url), base === undefined ? '' : String(base)));
    }
    static canParse(url, base) {
      return URL.parse(url, base) !== null;
    }
    static parse(url, base) {
      try {
        return new URL(url, base);
      } catch {
        return null;
      }
    }
    static {
      for (const part of PARTS) {
        Object.defineProperty(URL.prototype, part, {
          get() {
            return this.#parts[part];
          },
          set(value) {
            this.#parts = P.parse(ask('url-set', this.#parts.href, part, String(value)));
            if (part === 'href' || part === 'search') this.#params = null;
          },
          enumerable: true,
          configurable: true,
        });
      }
    }
    get origin() {
      return this.#parts.origin;
    }
    get searchParams() {
      this.#params ??= new URLSearchParams(this.#parts.search, (text) => {
        this.#parts = P.parse(ask('url-set', this.#parts.href, 'search', text));
      });
      return this.#params;
    }
    toString() {
      return this.#parts.href;
    }
    toJSON() {
      return this.#parts.href;
    }
    [CONTENT]() {
      return this.#parts.href;
    }
  }
  const parse = (text) => {
    const url = new URL(text, 'http://none.invalid');
    return {
      href: url.href,
      protocol: url.protocol,
      host: url.host,
      hostname: url.hostname,
      port: url.port,
      path: url.pathname + url.search,
      pathname: url.pathname,
      search: url.search,
      query: url.search.slice(1),
      hash: url.hash,
    };
  };
  const format = (url) => String(url);
  const resolve = (from, to) => new URL(to, from).href;
  return { URL, URLSearchParams, parse, format, resolve };
}

/** A list of names and values as a query writes them (WHATWG URL, urlencoded). */
export function makeSearchParams() {
  const encode = (text) =>
    encodeURIComponent(text)
      .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll('%20', '+');
  const decode = (text) => {
    try {
      return decodeURIComponent(text.replaceAll('+', ' '));
    } catch {
      return text;
    }
  };
  const pairsOf = (init) => {
    if (init === undefined || init === null) return [];
    if (typeof init === 'object') {
      const entries = Symbol.iterator in init ? [...init] : Object.entries(init);
      return entries.map(([name, value]) => [String(name), String(value)]);
    }
    const text = String(init).replace(/^\?/, '');
    return text
      .split('&')
      .filter(Boolean)
      .map((part) => {
        const at = part.indexOf('=');
        return at < 0
          ? [decode(part), '']
          : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
      });
  };

  return class URLSearchParams {
    #pairs;
    #changed;
    constructor(init, changed = () => undefined) {
      this.#pairs = pairsOf(init);
      this.#changed = changed;
    }
    get size() {
      return this.#pairs.length;
    }
    #replacePairs(pairs) {
      this.#pairs = pairs;
      this.#changed(this.toString());
    }
    append(name, value) {
      this.#replacePairs([...this.#pairs, [String(name), String(value)]]);
    }
    delete(name) {
      this.#replacePairs(this.#pairs.filter(([key]) => key !== String(name)));
    }
    get(name) {
      return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null;
    }
    getAll(name) {
      return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
    }
    has(name) {
      return this.#pairs.some(([key]) => key === String(name));
    }
    set(name, value) {
      const at = this.#pairs.findIndex(([key]) => key === String(name));
      if (at < 0) return this.append(name, value);
      const pair = [String(name), String(value)];
      this.#replacePairs(
        this.#pairs.flatMap((old, index) =>
          index === at ? [pair] : old[0] === pair[0] ? [] : [old],
        ),
      );
    }
    sort() {
      this.#replacePairs(this.#pairs.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))));
    }
    forEach(task) {
      for (const [name, value] of this.#pairs) task(value, name, this);
    }
    entries() {
      return this.#pairs.map(([name, value]) => [name, value]).values();
    }
    keys() {
      return this.#pairs.map(([name]) => name).values();
    }
    values() {
      return this.#pairs.map(([, value]) => value).values();
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    [CONTENT]() {
      return [...this];
    }
    toString() {
      return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
    }
  };
}

/** node:querystring. */
export function makeQuerystring() {
  const write = (text) => encodeURIComponent(String(text));
  const read = (text) => decodeURIComponent(text.replaceAll('+', ' '));
  const stringify = (object = {}, separator = '&', equals = '=') =>
    Object.entries(object)
      .flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map(
          (item) => `${write(name)}${equals}${write(item ?? '')}`,
        ),
      )
      .join(separator);
  const parse = (text = '', separator = '&', equals = '=') => {
    const parsed = Object.create(null);
    for (const part of text.split(separator).filter(Boolean).slice(0, 1_000)) {
      const [name, ...value] = part.split(equals);
      const key = read(name);
      const item = read(value.join(equals));
      parsed[key] = key in parsed ? [parsed[key], item].flat() : item;
    }
    return parsed;
  };
  return { escape: write, unescape: read, stringify, parse, encode: stringify, decode: parse };
}
