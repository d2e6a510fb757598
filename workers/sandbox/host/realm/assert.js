/** The assertions of node:assert that scripts use most. */
export function makeAssert({ inspect }) {
  class AssertionError extends Error {
    name = 'AssertionError';
    code = 'ERR_ASSERTION';
  }
  const fail = (message, otherwise) => {
    if (message instanceof Error) throw message;
    throw new AssertionError(message ?? otherwise);
  };
  const show = (a, word, b) => `Expected ${inspect(a)} ${word} ${inspect(b)}`;
  const ok = (value, message) => {
    if (!value) fail(message, show(value, 'to be', true));
  };
  /** An assertion that two values pass a test, and the one that they do not. */
  const pair = (test, word) => [
    (a, b, message) => {
      if (!test(a, b)) fail(message, show(a, `to ${word}`, b));
    },
    (a, b, message) => {
      if (test(a, b)) fail(message, show(a, `not to ${word}`, b));
    },
  ];
  const [strictEqual, notStrictEqual] = pair(Object.is, 'be');
  const [deepStrictEqual, notDeepStrictEqual] = pair((a, b) => alike(a, b, []), 'equal');
  // biome-ignore lint/suspicious/noDoubleEquals: what node:assert compares with
  const isLoosely = (a, b) => a == b || (Number.isNaN(a) && Number.isNaN(b));
  const [equal, notEqual] = pair(isLoosely, 'equal');
  const judgeText = (matches, word) => (text, pattern, message) => {
    if (typeof text === 'string' && pattern.test(text) === matches) return;
    fail(message, show(text, word, pattern));
  };

  const judgeThrown = (error, expected, message) => {
    if (expected === undefined || expected === null || fits(error, expected)) return;
    fail(message, `The error ${inspect(String(error))} is not as expected`);
  };
  const parted = (expected, message) =>
    typeof expected === 'string' ? [undefined, expected] : [expected, message];
  const throws = (task, ...rest) => {
    const [expected, message] = parted(...rest);
    try {
      task();
    } catch (error) {
      judgeThrown(error, expected, message);
      return;
    }
    fail(message, 'Expected the function to throw');
  };
  const rejects = async (task, ...rest) => {
    const [expected, message] = parted(...rest);
    try {
      await (typeof task === 'function' ? task() : task);
    } catch (error) {
      judgeThrown(error, expected, message);
      return;
    }
    fail(message, 'Expected the promise to be rejected');
  };
  const doesNotThrow = (task) => void task();
  const doesNotReject = async (task) => void (await (typeof task === 'function' ? task() : task));
  const ifError = (error) => {
    if (error !== undefined && error !== null) throw error;
  };

  const assert = (value, message) => ok(value, message);
  const members = {
    AssertionError,
    ok,
    equal,
    notEqual,
    strictEqual,
    notStrictEqual,
    deepStrictEqual,
    notDeepStrictEqual,
    deepEqual: deepStrictEqual,
    notDeepEqual: notDeepStrictEqual,
    match: judgeText(true, 'to match'),
    doesNotMatch: judgeText(false, 'not to match'),
    throws,
    rejects,
    doesNotThrow,
    doesNotReject,
    ifError,
    fail: (message) => fail(message, 'Failed'),
  };
  return Object.assign(assert, members, { strict: Object.assign(assert, members) });
}

/**
 * Whether an error is what was expected: of a class, with a text that matches, to the liking of a
 * function, with members alike. An error that is expected counts with its name and message too.
 */
export function fits(error, expected) {
  if (expected instanceof RegExp) return expected.test(String(error));
  if (typeof expected === 'function') {
    if (expected.prototype !== undefined && error instanceof expected) return true;
    return !Object.prototype.isPrototypeOf.call(Error, expected) && expected(error) === true;
  }
  if (typeof expected !== 'object' || expected === null) {
    throw new TypeError('What is expected must be a function, a RegExp, an object or an Error');
  }
  const keys = Object.keys(expected);
  if (expected instanceof Error) keys.push('name', 'message');
  if (keys.length === 0) throw new TypeError('An object that is expected must have members');
  return keys.every((key) => hasMember(error, key, expected[key]));
}

export function hasMember(error, key, expected) {
  if (typeof error !== 'object' || error === null || !(key in error)) return false;
  const value = error[key];
  if (expected instanceof RegExp && typeof value === 'string') return expected.test(value);
  return alike(value, expected, []);
}

/** Whether two values are deeply and strictly equal. Pairs that are being compared count as equal. */
export function alike(a, b, pairs) {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (Object.prototype.toString.call(a) !== Object.prototype.toString.call(b)) return false;
  if (pairs.some(([one, other]) => one === a && other === b)) return true;
  const within = [...pairs, [a, b]];
  if (!areSameBytes(bytesOf(a), bytesOf(b))) return false;
  if (!alike(contentOf(a), contentOf(b), within)) return false;
  const isUnordered = a instanceof Set || a instanceof Map;
  if (isUnordered && !haveAlike([...a], [...b], within)) return false;
  const keys = membersOf(a);
  return (
    keys.length === membersOf(b).length &&
    keys.every((key) => isMember(b, key) && alike(a[key], b[key], within))
  );
}

/** Whether lists hold alike items, in whatever order. */
export function haveAlike(items, others, pairs) {
  const left = new Set(others);
  if (items.length !== left.size) return false;
  return items.every((item) => {
    if (left.delete(item)) return true;
    for (const other of left) if (alike(item, other, pairs)) return left.delete(other);
    return false;
  });
}

export function areSameBytes(a, b) {
  return a === null || (a.length === b.length && a.every((byte, index) => byte === b[index]));
}

export function isMember(object, key) {
  return Object.prototype.propertyIsEnumerable.call(object, key);
}

/** Names and symbols; without the indexes of bytes, which are compared as a whole. */
export function membersOf(object) {
  if (ArrayBuffer.isView(object)) return [];
  const symbols = Object.getOwnPropertySymbols(object);
  return [...Object.keys(object), ...symbols.filter((symbol) => isMember(object, symbol))];
}

/** What an object holds beside its members; undefined where that is nothing. */
export function contentOf(object) {
  if (typeof object[CONTENT] === 'function') return object[CONTENT]();
  if (object instanceof Date) return object.getTime();
  if (object instanceof RegExp) return `${object.lastIndex}${object}`;
  if (object instanceof Error) return [object.name, object.message, object.cause, object.errors];
  if (object instanceof WeakMap || object instanceof WeakSet) return Symbol('nobody can tell');
  const isBoxed = [Number, String, Boolean, Symbol, BigInt].some((kind) => object instanceof kind);
  return isBoxed ? object.valueOf() : undefined;
}
