import nodeAssert from 'node:assert';
import { afterAll, describe, expect, test } from 'vitest';
import { createScriptHost } from '#workers/sandbox/host.ts';
import { noFetch, setupTask } from '../../../fixtures/scripts.ts';

const host = createScriptHost({ fetch: noFetch });
afterAll(() => host.close());

/** Evaluates a call with Node's own assert: whether it passes. */
async function passesInNode(call: string): Promise<boolean> {
  const run = new Function('assert', `return (async () => { await ${call} })()`);
  try {
    await run(nodeAssert);
    return true;
  } catch {
    return false;
  }
}

async function passesInScript(call: string): Promise<boolean> {
  const code = `const assert = require('node:assert'); await ${call}`;
  const { error } = await host.run(setupTask(code));
  return error === null;
}

const CIRCLE = '((o) => Object.assign(o, { o }))';

/** Pairs of values, each compared with both functions. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['1', '1'],
  ['1', "'1'"],
  ['0', '-0'],
  ['NaN', 'NaN'],
  ['null', 'undefined'],
  ['{}', '[]'],
  ['{}', 'null'],
  ['{ a: 1 }', '{ a: 1 }'],
  ['{ a: undefined }', '{}'],
  ['{ a: 1, b: 2 }', '{ b: 2, a: 1 }'],
  ['{ a: 1 }', 'Object.assign(Object.create(null), { a: 1 })'],
  ['{ a: 1 }', 'new (class A { a = 1 })()'],
  ['[1, 2]', '[2, 1]'],
  ['[, 1]', '[undefined, 1]'],
  ['Object.assign([1], { a: 1 })', '[1]'],
  ["{ [Symbol.for('a')]: 1 }", "{ [Symbol.for('a')]: 2 }"],
  ["{ [Symbol.for('a')]: 1 }", "{ [Symbol.for('a')]: 1 }"],
  ["{ [Symbol('a')]: 1 }", "{ [Symbol('a')]: 1 }"],
  ["{ [Symbol.for('a')]: 1 }", '{}'],
  ['new Set([1, 2])', 'new Set([2, 1])'],
  ['new Set([1, 2])', 'new Set([1, 3])'],
  ['new Set([1, 2])', 'new Set([1])'],
  ['new Set([{ a: 1 }, { a: 2 }])', 'new Set([{ a: 2 }, { a: 1 }])'],
  ['new Set([{ a: 1 }, { a: 1 }])', 'new Set([{ a: 1 }, { a: 2 }])'],
  ['new Set([1])', "new Set(['1'])"],
  ['Object.assign(new Set([1]), { a: 1 })', 'new Set([1])'],
  ['new Map([[1, 2], [3, 4]])', 'new Map([[3, 4], [1, 2]])'],
  ['new Map([[1, 2], [3, 4]])', 'new Map([[3, 2], [1, 4]])'],
  ['new Map([[{ a: 1 }, 1], [{ a: 2 }, 2]])', 'new Map([[{ a: 2 }, 2], [{ a: 1 }, 1]])'],
  ['new Map([[{}, 1]])', 'new Map([[{}, 2]])'],
  ['new Map([[1, undefined]])', 'new Map([[2, undefined]])'],
  ['new WeakMap()', 'new WeakMap()'],
  ['new WeakSet()', 'new WeakSet()'],
  ['new Date(0)', 'new Date(0)'],
  ['new Date(0)', 'new Date(1)'],
  ['/a/g', '/a/g'],
  ['/a/g', '/a/i'],
  ['/a/', 'Object.assign(/a/, { lastIndex: 1 })'],
  ["new Error('a')", "new Error('a')"],
  ["new Error('a')", "new Error('b')"],
  ["new Error('a')", "new TypeError('a')"],
  ["new Error('a', { cause: 1 })", "new Error('a', { cause: 2 })"],
  ["new AggregateError([1], 'a')", "new AggregateError([2], 'a')"],
  ['new Number(1)', 'new Number(1)'],
  ['new Number(1)', 'new Number(2)'],
  ['new Number(1)', '1'],
  ["new String('a')", "new String('b')"],
  ['new Boolean(true)', 'new Boolean(false)'],
  ['Object(1n)', 'Object(2n)'],
  ["Object(Symbol.for('a'))", "Object(Symbol.for('b'))"],
  ['new Uint8Array([1])', 'new Uint8Array([1])'],
  ['new Uint8Array([1])', 'new Uint8Array([2])'],
  ['new Uint8Array([1])', 'new Int8Array([1])'],
  ['new Uint16Array([1, 2])', 'new Uint16Array([1, 3])'],
  ['new Float64Array([NaN])', 'new Float64Array([NaN])'],
  ['new Float64Array([0])', 'new Float64Array([-0])'],
  ['new Uint8Array([1]).buffer', 'new Uint8Array([1]).buffer'],
  ['new Uint8Array([1]).buffer', 'new Uint8Array([2]).buffer'],
  ['new DataView(new ArrayBuffer(1))', 'new DataView(new ArrayBuffer(1))'],
  ['new DataView(new ArrayBuffer(1))', 'new DataView(new Uint8Array([1]).buffer)'],
  ["Buffer.from('a')", "Buffer.from('a')"],
  ["Buffer.from('a')", "Buffer.from('b')"],
  ["new URL('http://a.test/')", "new URL('http://a.test')"],
  ["new URL('http://a.test/')", "new URL('http://b.test/')"],
  ["new URLSearchParams('a=1')", "new URLSearchParams('a=1')"],
  ["new Headers({ a: '1' })", "new Headers({ A: '1' })"],
  ['() => 1', '() => 1'],
  [`${CIRCLE}({})`, `${CIRCLE}({})`],
  [`${CIRCLE}({ a: 1 })`, `${CIRCLE}({ a: 2 })`],
];

describe('assert judges two values as Node does:', () => {
  test.each(PAIRS)('%s and %s', async (a, b) => {
    for (const name of ['deepStrictEqual', 'notDeepStrictEqual', 'strictEqual']) {
      const call = `assert.${name}(${a}, ${b})`;
      expect([call, await passesInScript(call)]).toEqual([call, await passesInNode(call)]);
    }
  });
});

const BOOM = `() => { throw Object.assign(new Error('boom'), { code: 5, inner: { a: [1] } }) }`;

describe('assert judges what is thrown as Node does:', () => {
  test.each([
    `new Error('boom')`,
    `Object.assign(new Error('boom'), { code: 5 })`,
    `Object.assign(new Error('boom'), { code: 6 })`,
    `new Error('another')`,
    `new TypeError('boom')`,
    `new TypeError('another')`,
    `{ message: 'boom' }`,
    `{ message: 'boom', code: 6 }`,
    `{ message: /oo/, inner: { a: [1] } }`,
    `{ inner: { a: [2] } }`,
    `{ missing: undefined }`,
    `{ code: /5/ }`,
    `{}`,
    `[]`,
    '5',
    'null',
    'true',
    'Error',
    'TypeError',
    'Date',
    'class Other {}',
    'class Other extends Error {}',
    '/boom/',
    '/^Error: boom$/',
    '/other/',
    '() => true',
    '() => 1',
    '() => undefined',
    '(error) => error.code === 5',
    `function () { return this.code === 5 }`,
    `'a message'`,
    `undefined`,
    `undefined, 'a message'`,
  ])('%s', async (expected) => {
    for (const call of [
      `assert.throws(${BOOM}, ${expected})`,
      `assert.rejects(async ${BOOM}, ${expected})`,
      `assert.throws(() => { throw null }, ${expected})`,
      `assert.throws(() => { throw 'boom' }, ${expected})`,
      `assert.throws(() => {}, ${expected})`,
    ]) {
      expect([call, await passesInScript(call)]).toEqual([call, await passesInNode(call)]);
    }
  });
});

test.each([
  `match('abc', /b/)`,
  `match('abc', /x/)`,
  `match(5, /5/)`,
  `doesNotMatch('abc', /x/)`,
  `doesNotMatch('abc', /b/)`,
  `doesNotMatch(undefined, /x/)`,
  `equal(1, '1')`,
  `equal(NaN, NaN)`,
  `notEqual(NaN, NaN)`,
  `ok(0)`,
  `ifError(null)`,
  `ifError(undefined)`,
  `ifError(0)`,
  `doesNotThrow(() => { throw 1 })`,
  `doesNotReject(async () => { throw 1 })`,
])('assert.%s does what it does in Node', async (call) => {
  expect(await passesInScript(`assert.${call}`)).toBe(await passesInNode(`assert.${call}`));
});

test.each([
  [`new URLSearchParams('a=1')`, `new URLSearchParams('a=2')`],
  [`new Headers({ a: '1' })`, `new Headers({ a: '2' })`],
])('unlike in Node, %s and %s are not alike', async (a, b) => {
  expect(await passesInScript(`assert.deepStrictEqual(${a}, ${b})`)).toBe(false);
});
