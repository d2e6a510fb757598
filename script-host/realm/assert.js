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
  const [equal, notEqual] = pair((a, b) => a == b, 'equal');
  const [match, doesNotMatch] = pair((text, pattern) => pattern.test(text), 'match');

  const judgeThrown = (error, expected, message) => {
    if (expected === undefined || fits(error, expected)) return;
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
    match,
    doesNotMatch,
    throws,
    rejects,
    doesNotThrow,
    doesNotReject,
    ifError,
    fail: (message) => fail(message, 'Failed'),
  };
  return Object.assign(assert, members, { strict: Object.assign(assert, members) });
}

/** Whether an error is what was expected: of a class, with a message that matches, with members. */
export function fits(error, expected) {
  if (expected instanceof RegExp) return expected.test(String(error));
  if (typeof expected !== 'function') {
    return Object.keys(expected).every((key) =>
      expected[key] instanceof RegExp
        ? expected[key].test(error?.[key])
        : alike(error?.[key], expected[key], []),
    );
  }
  const isClass = expected === Error || expected.prototype instanceof Error;
  return isClass ? error instanceof expected : expected(error) === true;
}

/** Whether two values are deeply and strictly equal. Pairs that are being compared count as equal. */
export function alike(a, b, pairs) {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (pairs.some(([one, other]) => one === a && other === b)) return true;
  const within = [...pairs, [a, b]];
  const entries = hiddenOf(a);
  if (entries !== null && !alike(entries, hiddenOf(b), within)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && alike(a[key], b[key], within))
  );
}

/** What an object holds beside its members; null where that is nothing. */
export function hiddenOf(object) {
  if (object instanceof Date) return [object.getTime()];
  if (object instanceof RegExp) return [String(object)];
  if (object instanceof Error) return [object.name, object.message];
  return object instanceof Map || object instanceof Set ? [...object] : null;
}
