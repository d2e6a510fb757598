/**
 * The built-in functions that our own code in a realm rests on, taken before any script can change
 * a prototype. Code that runs after a script began uses these and no method of an object.
 */
export function takePrimordials() {
  const { apply, ownKeys } = Reflect;
  const unbound =
    (method) =>
    (self, ...args) =>
      apply(method, self, args);
  return {
    global: globalThis,
    apply,
    ownKeys,
    create: Object.create,
    freeze: Object.freeze,
    defineProperty: Object.defineProperty,
    getOwn: Object.getOwnPropertyDescriptor,
    parse: JSON.parse,
    stringify: JSON.stringify,
    isArray: Array.isArray,
    objectToString: Object.prototype.toString,
    String,
    Number,
    Error,
    TypeError,
    errors: { __proto__: null, RangeError, TypeError },
    Promise,
    isError: Error.isError ?? ((value) => value instanceof Error),
    now: Date.now,
    // biome-ignore lint/security/noGlobalEval: the realm's own, for the script's own snippets
    evaluate: globalThis.eval,
    slice: unbound(String.prototype.slice),
    startsWith: unbound(String.prototype.startsWith),
    endsWith: unbound(String.prototype.endsWith),
  };
}

/** The method that tells what an object of ours keeps to itself, for comparing it. */
export const CONTENT = Symbol('content');

// Taken before a script can put its own in their place.
const Memory = ArrayBuffer;
const Bytes = Uint8Array;
const { isView } = ArrayBuffer;

/** The bytes of memory or of any view of it; null for anything else. */
export function bytesOf(value) {
  if (isView(value)) return new Bytes(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof Memory ? new Bytes(value) : null;
}

/**
 * Takes out of a realm what could escape the bounds of its run: memory that the isolate does not
 * count (WebAssembly, shared and resizable buffers) and code that runs after its run has ended.
 */
export function hardenRealm() {
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'FinalizationRegistry', 'console']) {
    delete globalThis[name];
  }
  const Native = globalThis.ArrayBuffer;
  const { construct } = Reflect;
  // Measured: a resizable buffer takes memory that the limit of isolated-vm does not see.
  function FixedArrayBuffer(length) {
    if (new.target === undefined) throw new TypeError("Constructor ArrayBuffer requires 'new'");
    return construct(Native, [length], new.target);
  }
  Object.defineProperty(FixedArrayBuffer, 'name', { value: 'ArrayBuffer' });
  Object.defineProperty(FixedArrayBuffer, 'prototype', {
    value: Native.prototype,
    writable: false,
  });
  Object.defineProperty(FixedArrayBuffer, 'isView', { value: Native.isView });
  Object.defineProperty(Native.prototype, 'constructor', { value: FixedArrayBuffer });
  Object.defineProperty(globalThis, 'ArrayBuffer', {
    value: FixedArrayBuffer,
    writable: true,
    configurable: true,
  });
}
