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
  const alike = (a, b) => {
    if (Object.is(a, b)) return true;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    if (a instanceof Date) return a.getTime() === b.getTime();
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && alike(a[key], b[key]))
    );
  };
  const ok = (value, message) => {
    if (!value) fail(message, show(value, 'to be', true));
  };
  const strictEqual = (a, b, message) => {
    if (!Object.is(a, b)) fail(message, show(a, 'to be', b));
  };
  const notStrictEqual = (a, b, message) => {
    if (Object.is(a, b)) fail(message, show(a, 'not to be', b));
  };
  const deepStrictEqual = (a, b, message) => {
    if (!alike(a, b)) fail(message, show(a, 'to equal', b));
  };
  const notDeepStrictEqual = (a, b, message) => {
    if (alike(a, b)) fail(message, show(a, 'not to equal', b));
  };
  const equal = (a, b, message) => {
    // biome-ignore lint/suspicious/noDoubleEquals: what node:assert compares with
    if (!(a == b)) fail(message, show(a, 'to equal', b));
  };
  const match = (text, pattern, message) => {
    if (!pattern.test(text)) fail(message, show(text, 'to match', pattern));
  };
  const throws = (task, message) => {
    try {
      task();
    } catch {
      return;
    }
    fail(typeof message === 'string' ? message : undefined, 'Expected the function to throw');
  };
  const assert = (value, message) => ok(value, message);
  const members = {
    AssertionError,
    ok,
    equal,
    strictEqual,
    notStrictEqual,
    deepStrictEqual,
    notDeepStrictEqual,
    deepEqual: deepStrictEqual,
    match,
    throws,
    fail: (message) => fail(message, 'Failed'),
  };
  return Object.assign(assert, members, { strict: Object.assign(assert, members) });
}
