/** Depth, members and characters that a value is shown with. */
const SHOWN = { depth: 4, members: 100, chars: 10_000 };

/** `format` and `inspect` of node:util, as far as logs need them. */
export function makeUtil() {
  const quote = (text) =>
    `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'").replace(/\n/g, '\\n')}'`;

  const members = (value, depth, seen) => {
    const keys = Object.keys(value);
    const shown = keys.slice(0, SHOWN.members).map((key) => {
      const { get, value: member } = Object.getOwnPropertyDescriptor(value, key) ?? {};
      const name = /^[\w$]+$/.test(key) ? key : quote(key);
      return `${name}: ${get ? '[Getter]' : show(member, depth + 1, seen)}`;
    });
    if (keys.length > SHOWN.members) shown.push(`… ${keys.length - SHOWN.members} more`);
    const name = className(value);
    if (shown.length > 0) return `${name}{ ${shown.join(', ')} }`;
    return hasOwnText(value) ? `${name}${String(value)}` : `${name}{}`;
  };
  const className = (value) => {
    const name = Object.getPrototypeOf(value)?.constructor?.name ?? 'Object';
    return name === 'Object' || typeof name !== 'string' ? '' : `${name} `;
  };
  /** What keeps its members to itself and has a text: a URL, its parameters. */
  const hasOwnText = ({ toString: own }) =>
    typeof own === 'function' && own !== Object.prototype.toString;
  /** Without the frames of what runs the script: they tell its author nothing. */
  const ofError = (error, depth, seen) => {
    const stack = String(error.stack ?? error);
    const own = stack.split('\n').filter((frame) => !/^ +at (?:.*\()?watchpost:/.test(frame));
    const isNested = error.cause !== undefined && depth <= SHOWN.depth;
    const cause = isNested ? `\n  [cause]: ${show(error.cause, depth + 1, seen)}` : '';
    return own.join('\n') + cause;
  };
  const list = (values, length, depth, seen) => {
    const shown = values.slice(0, SHOWN.members).map((item) => show(item, depth + 1, seen));
    if (length > SHOWN.members) shown.push(`… ${length - SHOWN.members} more`);
    return shown.length === 0 ? '[]' : `[ ${shown.join(', ')} ]`;
  };
  const ofObject = (value, depth, seen) => {
    if (value instanceof Error) return ofError(value, depth, seen);
    if (value instanceof Date)
      return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof RegExp || value instanceof Promise) return String(value);
    if (depth > SHOWN.depth) return Array.isArray(value) ? '[Array]' : '[Object]';
    if (Array.isArray(value)) return list(value.slice(0, SHOWN.members), value.length, depth, seen);
    if (ArrayBuffer.isView(value) && 'length' in value) {
      const start = Array.from(value.subarray(0, SHOWN.members));
      return `${value.constructor.name}(${value.length}) ${list(start, value.length, depth, seen)}`;
    }
    if (value instanceof Map)
      return `Map(${value.size}) ${list([...value], value.size, depth, seen)}`;
    if (value instanceof Set)
      return `Set(${value.size}) ${list([...value], value.size, depth, seen)}`;
    return members(value, depth, seen);
  };
  const show = (value, depth, seen) => {
    if (typeof value === 'string') return quote(value.slice(0, SHOWN.chars));
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function') return `[Function: ${value.name || '(anonymous)'}]`;
    if (typeof value !== 'object' || value === null) return String(value);
    if (seen.includes(value)) return '[Circular]';
    try {
      return ofObject(value, depth, [...seen, value]);
    } catch {
      // The code of an object may fail that only wants to be shown: a script must not end by its log.
      return '[Object that cannot be shown]';
    }
  };
  const inspect = (value) => show(value, 0, []).slice(0, SHOWN.chars);
  const plain = (value) => (typeof value === 'string' ? value : inspect(value));

  const number = (read) => (value) => {
    if (typeof value === 'bigint') return `${value}n`;
    return typeof value === 'symbol' ? 'NaN' : String(read(value));
  };
  /** What JSON cannot hold must not end a script that only logs it. */
  const json = (value) => {
    try {
      return JSON.stringify(value);
    } catch (error) {
      if (error instanceof TypeError) return inspect(value);
      throw error;
    }
  };
  const PLACES = {
    s: plain,
    d: number(Number),
    i: number((value) => Number.parseInt(value, 10)),
    f: number(Number.parseFloat),
    j: json,
    o: inspect,
    O: inspect,
    c: () => '',
  };
  const format = (...args) => {
    if (typeof args[0] !== 'string') return args.map(plain).join(' ');
    const rest = args.slice(1);
    const filled = args[0].replace(/%([sdifjoOc%])/g, (place, kind) => {
      if (kind === '%') return rest.length > 0 || args.length > 1 ? '%' : place;
      return rest.length > 0 ? PLACES[kind](rest.shift()) : place;
    });
    return [filled, ...rest.map(plain)].join(' ');
  };
  const promisify =
    (task) =>
    (...args) =>
      new Promise((resolve, reject) => {
        task(...args, (error, value) => (error ? reject(error) : resolve(value)));
      });
  const isDeepStrictEqual = (a, b) => alike(a, b, []);
  /** What old libraries make their classes with. */
  const inherits = (child, parent) => {
    child.super_ = parent;
    Object.setPrototypeOf(child.prototype, parent.prototype);
  };
  return { format, inherits, inspect, isDeepStrictEqual, promisify };
}
