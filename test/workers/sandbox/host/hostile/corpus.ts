import { ESCAPES } from './escapes.ts';
import { ends, type Hostile, quiet } from './hostile.ts';

/** What a script leaves changed or reads for itself, so that our own code stumbles. */
const POISONED: Hostile[] = [
  quiet(
    'waiting on memory that is not shared',
    `try { Atomics.wait(new Int32Array(2), 0, 0) } catch {}`,
  ),
  ends(
    'code that leaves its wrapper',
    'thrown',
    `}); request.body = 'outside'; (async function () {`,
  ),
  quiet(
    'a symbol species on promises',
    `Object.defineProperty(Promise, Symbol.species, { get() { return function (x) { x((v) => v, (v) => v) } } }); await null;`,
  ),
  quiet(
    'a symbol that makes primitives',
    `request.url = { [Symbol.toPrimitive]: () => 'http://made.test/', toJSON: () => 'http://made.test/' };`,
  ),
  quiet(
    'Symbol.hasInstance of Error',
    `Object.defineProperty(Error, Symbol.hasInstance, { value: () => { throw 1 } });`,
  ),
  quiet(
    'Symbol.asyncIterator',
    `for await (const x of { [Symbol.asyncIterator]: () => ({ i: 0, next() { return { done: this.i++ > 2, value: this.constructor } } }) }) request.body += x;`,
  ),
  quiet(
    'a poisoned array iterator',
    `Array.prototype[Symbol.iterator] = () => { throw new Error('poison') }; request.headers.a = 'b';`,
  ),
  quiet(
    'a poisoned toJSON',
    `Object.prototype.toJSON = () => 'poison'; Array.prototype.toJSON = () => 'poison'; String.prototype.toJSON = () => 'poison'; request.headers.a = 'b';`,
  ),
  quiet(
    'poisoned JSON and Object',
    `JSON.stringify = () => '{}'; JSON.parse = () => ({}); Object.keys = () => []; Reflect.ownKeys = () => []; Reflect.apply = () => 1; globalThis.String = null;`,
  ),
  quiet(
    'frozen prototypes',
    `for (const o of [Object, Array, Function, Promise, String, Error, Map, Set]) { Object.freeze(o); Object.freeze(o.prototype) }`,
  ),
  quiet(
    'setters on the prototype of objects',
    `for (const k of ['kind', 'message', 'stack', 'error', 'request', 'env', 'response', '0']) Object.defineProperty(Object.prototype, k, { set() { throw new Error('trap') }, get() { return 'trap' }, configurable: true });`,
  ),
  quiet(
    'a then on the prototype of objects',
    `Object.prototype.then = function (ok) { ok('taken') };`,
  ),
  quiet(
    'snippets that require one another',
    `for (let i = 0; i < 100; i++) try { require('./snippets/loop.js') } catch {}`,
  ),
  quiet(
    'a formatter that gives objects',
    `require('util').format = () => ({ length: -1e9, toString: () => 'x'.repeat(1e7) }); for (let i = 0; i < 50; i++) try { console.log(1) } catch {}`,
  ),
  ends(
    'a formatter that throws',
    'thrown',
    `require('util').format = () => { throw new Error('format') }; console.log(1)`,
  ),
  quiet(
    'an environment behind a proxy',
    `process.env = new Proxy({}, { ownKeys: () => ['A'], get: () => 'x'.repeat(1e6) })`,
  ),
  ends(
    'an environment with a getter that throws',
    'thrown',
    `Object.defineProperty(process.env, 'A', { enumerable: true, get() { throw new Error('a') } })`,
  ),
  quiet(
    'an environment without prototype',
    `process.env.__proto__ = null; process.env.toString = 'x'`,
  ),
  ends(
    'a stack that is prepared without end',
    'timeout',
    `Error.prepareStackTrace = () => { for (;;) {} }; null.x`,
  ),
  ends('deep JSON', ['thrown', 'timeout'], `JSON.parse('['.repeat(2e6))`),
  ends('deep code', ['thrown', 'timeout'], `eval('('.repeat(5e5))`),
  quiet(
    'an iterator behind its end',
    `async function* g() { try { yield 1 } finally { fetch('http://x').catch(() => 0) } } for await (const x of g()) break`,
  ),
  quiet('a rejection behind the end', `setTimeout(() => Promise.reject(new Error('late')), 1)`),
  quiet(
    'poisoned regular expressions and lists before a library loads',
    `RegExp.prototype[Symbol.split] = RegExp.prototype.exec = () => { throw new Error('poison') }; Array.prototype.push = String.prototype.split = () => 1; try { require('lodash'); require('moment') } catch {}`,
  ),
  quiet(
    'members that our own records could inherit',
    `for (const k of ['error', 'response', 'kind', 'statusCode', 'type', 'id', 'text', 'library']) Object.prototype[k] = { message: 'm', kind: 'host' };`,
  ),
  quiet(
    'a non-integer for everything that is counted',
    `request.headers = new Proxy([], { ownKeys: () => ['length', '0'], get: () => -1e308 })`,
  ),
  quiet(
    'text that is no Unicode',
    `request.body = request.headers.a = '\\ud800'; console.log('\\udfff')`,
  ),
  quiet(
    'no globals any more',
    `for (const k of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[k] } catch {} }`,
  ),
  ends(
    'a request that throws when it is read',
    'thrown',
    `request = new Proxy({}, { get() { throw new Error('unreadable') } });`,
  ),
  ends(
    'headers with a getter that throws',
    'thrown',
    `Object.defineProperty(request, 'headers', { get() { throw new Error('unreadable') } });`,
  ),
];

/** What is thrown, and how. */
const THROWN: Hostile[] = [
  ends('a text thrown', 'thrown', `throw 'just text'`),
  ends(
    'a number thrown outside its wrapper',
    'thrown',
    `}); globalThis.leaked = 1; throw 5; (async function () {`,
  ),
  ends(
    'null thrown outside its wrapper',
    'thrown',
    `}); globalThis.leaked = 1; throw null; (async function () {`,
  ),
  ends('undefined thrown', 'thrown', `throw undefined`),
  ends('a symbol thrown', 'thrown', `throw Symbol('s')`),
  ends(
    'a proxy thrown',
    'thrown',
    `throw new Proxy(new Error('x'), { get() { throw 1 }, getPrototypeOf() { throw 2 } })`,
  ),
  ends(
    'an error with getters that throw',
    'thrown',
    `throw Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('y') } })`,
  ),
  ends(
    'an error with a stack that is no text',
    'thrown',
    `throw Object.assign(new Error('x'), { stack: { toString: null } })`,
  ),
  ends('an object without a prototype thrown', 'thrown', `throw Object.create(null)`),
  ...[2 ** 53, 1e21, -1, '9'.repeat(400)].map((line) =>
    ends(
      `a stack that places it in line ${`${line}`.slice(0, 20)}`,
      'thrown',
      `const e = new Error('x'); e.stack = 'at setup script:${line}:${line}'; throw e`,
    ),
  ),
  ends('a message of 1 MB', 'thrown', `throw new Error('x'.repeat(1e6))`),
  ends('endless recursion', 'thrown', `(function f() { f() })()`),
  ends(
    'an error in a timer',
    'thrown',
    `setTimeout(() => { throw new Error('late') }, 1); await new Promise(() => {})`,
  ),
  ends('a syntax error', 'syntax', `const a = 1;\nconst = 2;`),
  ends('code that closes too much', 'syntax', `}}}}`),
  ends('an import statement', 'syntax', `import fs from 'fs';`),
];

/** What takes too long. */
const ENDLESS: Hostile[] = [
  ends('an endless loop', 'timeout', `for (;;) {}`),
  ends('an endless loop outside its wrapper', 'timeout', `}); for (;;) {} (async function () {`),
  ends(
    'an endless loop that catches',
    'timeout',
    `for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }`,
  ),
  ends('an endless loop after an await', 'timeout', `await null; for (;;) {}`),
  ends(
    'endless microtasks',
    ['timeout', 'memory'],
    `const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})`,
  ),
  ends(
    'endless microtasks behind the end',
    [null, 'timeout', 'memory'],
    `const f = () => Promise.resolve().then(f); f();`,
  ),
  ends('a loop in a timer behind the end', null, `setTimeout(() => { for (;;) {} }, 0);`),
  ends(
    'endless timers',
    'timeout',
    `const f = () => setTimeout(f, 0); f(); await new Promise(() => {})`,
  ),
  ends('an interval', 'timeout', `setInterval(() => {}, 1); await new Promise(() => {})`),
  ends('a promise that never settles', 'timeout', `await new Promise(() => {})`),
  ends('a thenable of thenables', 'timeout', `const f = { then(ok) { ok(f) } }; return f`),
  ends(
    'an iterator whose return never settles',
    'timeout',
    `async function* g() { try { yield 1 } finally { await new Promise(() => {}) } } for await (const x of g()) break`,
  ),
  ends(
    'a getter of the request that loops',
    'timeout',
    `Object.defineProperty(globalThis, 'request', { get() { for (;;) {} } })`,
  ),
  ends('a thenable that never answers', 'timeout', `await { then() {} }`),
  ends('a regular expression that backtracks', 'timeout', `/^(a+)+$/.test('a'.repeat(40) + 'b')`),
  ends(
    'a loop in the toString of a header',
    'timeout',
    `request.headers.a = { toString() { for (;;) {} }, toJSON() { for (;;) {} } };`,
  ),
  ends(
    'a proxy without end in the log',
    'timeout',
    `console.log({ a: new Proxy({}, { ownKeys() { for (;;) {} } }) })`,
  ),
  ends('a sort that never ends', 'timeout', `[1, 2].sort(() => { for (;;) {} })`),
  ends('host calls without end', 'timeout', `for (;;) crypto.randomUUID()`),
  ends(
    'timers set and cleared without end',
    'timeout',
    `for (;;) clearTimeout(setTimeout(() => {}, 1e6))`,
  ),
];

/** Built-in functions that never ask whether they should stop. */
const STUCK: Hostile[] = [
  ends('a search of 2^53 holes', 'timeout', `[].indexOf.call({ length: 2 ** 53 - 1 }, 1)`),
  ends('a sort of 2^32 holes', 'timeout', `new Array(2 ** 32 - 2).sort()`),
  ends('an array of 2^32 zeros', ['timeout', 'memory'], `new Array(2 ** 32 - 2).fill(0)`),
].map((hostile) => ({ ...hostile, isStuck: true }));

/** What takes too much. */
const GREEDY: Hostile[] = [
  ends(
    'a request of 6 MB',
    'thrown',
    `await fetch('http://x', { method: 'POST', body: 'x'.repeat(6e6) })`,
  ),
  ends(
    'a request that is poisoned on its way',
    'thrown',
    `Object.prototype.toJSON = () => undefined; await fetch('http://x')`,
  ),
  ends(
    'a string that doubles',
    ['memory', 'thrown', 'timeout'],
    `let s = 'x'; for (;;) { s += s; s.charCodeAt(s.length - 1); Number(s) }`,
  ),
  ends(
    'strings in an array',
    ['memory', 'timeout'],
    `const a = []; for (;;) a.push('x'.repeat(1e5) + a.length + Math.random()).toString(), a[a.length - 1].charCodeAt(5)`,
  ),
  ends('an array without end', ['memory', 'timeout'], `const a = []; for (;;) a.push({ a })`),
  ends(
    'a huge filled array',
    ['memory', 'timeout'],
    `const a = new Array(3e7).fill(1.5); request.body = String(a.length); await new Promise(() => {})`,
  ),
  // V8 cannot give up the isolate alone: the process goes, and nobody else's script with it.
  ends(
    'a map without end',
    'memory',
    `const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })`,
  ),
  ends(
    'array buffers',
    ['thrown', 'memory'],
    `const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1))`,
  ),
  ends(
    'a resizable array buffer',
    ['thrown', 'memory'],
    `const a = []; for (let i = 0; i < 100; i++) { const b = new ArrayBuffer(1e7, { maxByteLength: 1e9 }); b.resize(1e8); a.push(new Uint8Array(b).fill(1)) }`,
  ),
  ends(
    'a resizable array buffer by its constructor',
    ['thrown', 'memory'],
    `const B = new Uint8Array(1).buffer.constructor; const b = Reflect.construct(B, [1, { maxByteLength: 1e9 }], class extends B {}); b.resize(5e8); new Uint8Array(b).fill(1)`,
  ),
  ends('shared memory', 'thrown', `new SharedArrayBuffer(1e9)`),
  ends('WebAssembly memory', 'thrown', `new WebAssembly.Memory({ initial: 30000 })`),
  ends(
    'a finalizer that waits for another script',
    'thrown',
    `new FinalizationRegistry(() => { for (;;) {} })`,
  ),
  ends(
    'a million headers of a proxy',
    ['too-large', 'timeout', 'memory'],
    `request.headers = new Proxy({}, { ownKeys: () => Array.from({ length: 1e6 }, (_, i) => 'k' + i), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }), get: () => 'v' })`,
  ),
  ends('a thousand intervals', 'thrown', `for (;;) setInterval(() => {}, 0)`),
  ends('BigInt', ['thrown', 'memory', 'timeout'], `let b = 2n; for (;;) b **= 2n`),
  ends(
    'promises without end',
    ['memory', 'timeout'],
    `const a = []; for (;;) a.push(Promise.resolve().then(() => a))`,
  ),
  ends('timers without end', 'thrown', `for (;;) setTimeout(() => {}, 1e6)`),
  ends(
    'requests without end',
    'thrown',
    `for (;;) await fetch('http://x').catch((e) => { if (/at most/.test(e.message)) throw e })`,
  ),
  ends(
    'a hash of 50 MB behind the back of Buffer',
    'thrown',
    `Buffer.concat = () => ({ toString: () => 'x'.repeat(5e7) }); require('crypto').createHash('md5').digest()`,
  ),
  ends(
    'a nested list in the place of text, for a hash',
    'thrown',
    `let a = 'x'; for (let n = 0; n < 9; n++) a = Array(9).fill(a); Buffer.concat = () => ({ toString: () => a }); require('crypto').createHash('md5').digest()`,
  ),
  ends(
    'a long list in the place of text, for a hash, without end',
    'thrown',
    `const a = Array(1e5).fill(1); Buffer.concat = () => ({ toString: () => a }); require('crypto').createHash('md5').digest()`,
  ),
  ends(
    'long names of hashes without end',
    ['thrown', 'timeout'],
    `const name = 'x'.repeat(1e7); for (;;) try { require('crypto').createHash(name).digest() } catch (e) { if (/time|most/.test(e.message)) throw e }`,
  ),
  ends(
    'long URLs without end',
    ['thrown', 'timeout'],
    `for (;;) new URL('http://a.test/' + 'x'.repeat(60000))`,
  ),
  ends(
    'formatters of dates without end',
    ['memory', 'timeout'],
    `const a = []; for (;;) a.push(new Intl.DateTimeFormat('de', { dateStyle: 'full' }))`,
  ),
  ends(
    'functions from text without end',
    ['memory', 'timeout'],
    `const a = []; for (let i = 0; ; i++) a.push(new Function('return ' + i + ';' + 'x+'.repeat(500) + '1'))`,
  ),
  ends(
    'array buffers that are handed on',
    ['thrown', 'memory'],
    `const a = []; for (;;) a.push(new ArrayBuffer(8).transfer(5e7))`,
  ),
  ends('random bytes without end', 'thrown', `require('crypto').randomBytes(1e9)`),
  quiet('a console flood', `for (let i = 0; i < 1e5; i++) console.log(i, 'x'.repeat(100))`),
  quiet('one huge log line', `console.log('x'.repeat(5e6))`),
  quiet('a return value of 1 MB', `return 'x'.repeat(1e6)`),
  ends('a huge body', 'too-large', `request.body = 'x'.repeat(1e6)`),
  ends(
    'huge headers',
    'too-large',
    `for (let i = 0; i < 1e4; i++) request.headers['h' + i] = 'x'.repeat(100)`,
  ),
  ends('a body that is huge only in bytes', 'too-large', `request.body = '€'.repeat(2e5)`),
  ends('a huge environment', 'too-large', `process.env.BIG = 'x'.repeat(1e6)`),
];

/** Those that end by themselves: their host lives on. */
export const QUICK: readonly Hostile[] = [...ESCAPES, ...POISONED, ...THROWN];

export const CORPUS: readonly Hostile[] = [...QUICK, ...ENDLESS, ...STUCK, ...GREEDY];
