/** `performance` and `structuredClone`, as far as scripts use them. */
export function makeGlobals({ P }) {
  const timeOrigin = P.now();
  return {
    performance: { timeOrigin, now: () => P.now() - timeOrigin },
    structuredClone: (value) => cloneOf(value, new Map()),
  };
}

/** A deep copy of data: circles are kept, functions refused. */
export function cloneOf(value, copies) {
  if (typeof value === 'function' || typeof value === 'symbol') {
    const refusal = new Error(`${String(value).slice(0, 100)} could not be cloned.`);
    throw Object.assign(refusal, { name: 'DataCloneError' });
  }
  if (typeof value !== 'object' || value === null) return value;
  if (copies.has(value)) return copies.get(value);
  const copy = emptyCopyOf(value);
  copies.set(value, copy);
  if (value instanceof Map) {
    for (const [key, item] of value) copy.set(cloneOf(key, copies), cloneOf(item, copies));
  } else if (value instanceof Set) {
    for (const item of value) copy.add(cloneOf(item, copies));
  } else if (bytesOf(value) === null) {
    for (const key of Object.keys(value)) copy[key] = cloneOf(value[key], copies);
  }
  return copy;
}

/** `kind` is ArrayBuffer or a view, whatever class of a library was made of it. */
export function copyOfBytes(bytes, kind) {
  const { buffer } = new Uint8Array(bytes);
  return kind === 'ArrayBuffer' ? buffer : new globalThis[kind](buffer);
}

export function emptyCopyOf(value) {
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof RegExp) return new RegExp(value);
  if (value instanceof Map) return new Map();
  if (value instanceof Set) return new Set();
  if (value instanceof Error) return new Error(value.message);
  const bytes = bytesOf(value);
  if (bytes !== null) return copyOfBytes(bytes, value[Symbol.toStringTag]);
  return Array.isArray(value) ? new Array(value.length) : {};
}
