import { afterAll, describe, expect, test } from 'vitest';
import { createScriptHost } from '#workers/sandbox/host.ts';
import { noFetch, setupTask, teardownTask } from '../../../fixtures/scripts.ts';

const host = createScriptHost({ fetch: noFetch });
afterAll(() => host.close());

const run = (code: string, members = {}) => host.run(setupTask(code, members));
/** Runs a script that leaves the value of an expression in the body. */
const found = async (expression: string, members = {}) => {
  const { request, error } = await run(`request.body = await (${expression})`, members);
  expect(error).toBeNull();
  return request.body;
};

describe('a setup script', () => {
  test('changes every member of the request', async () => {
    const { request, error } = await run(
      `request.method = 'POST'; request.url += '/more'; request.body = 'text';
       request.headers['x-a'] = 1; delete request.headers.accept; request.queryParameters.q = 'v';`,
    );
    expect(error).toBeNull();
    expect(request).toEqual({
      method: 'POST',
      url: 'http://target.test/path/more',
      body: 'text',
      headers: { 'x-a': '1' },
      queryParameters: { q: 'v' },
    });
  });

  test('replaces the request as a whole', async () => {
    const { request } = await run(`request = { ...request, method: 'PUT' }`);
    expect(request).toMatchObject({ method: 'PUT', url: 'http://target.test/path' });
  });

  test.each([
    ['an object', `{ a: [1] }`, '{"a":[1]}'],
    ['a list', `['a', null]`, '["a",null]'],
    ['an object without a prototype', `Object.assign(Object.create(null), { a: 1 })`, '{"a":1}'],
    ['a Buffer', `Buffer.from('hällo')`, 'hällo'],
    ['bytes', `new TextEncoder().encode('hällo')`, 'hällo'],
    ['memory', `new TextEncoder().encode('hällo').buffer`, 'hällo'],
    ['a DataView', `new DataView(new TextEncoder().encode('-hi').buffer, 1)`, 'hi'],
    ['16-bit numbers', `new Uint16Array([0x6968])`, 'hi'],
    ['a URL', `new URL('http://a.test/b')`, 'http://a.test/b'],
    ['query parameters', `new URLSearchParams({ a: '1 2' })`, 'a=1+2'],
    ['a boxed text', `new String('x')`, 'x'],
    ['a number', `0`, '0'],
  ])('leaves %s as the text that it means', async (_what, value, expected) => {
    const { request } = await run(`request.body = request.headers.x = request.url = ${value}`);
    expect([request.body, request.headers.x, request.url]).toEqual([expected, expected, expected]);
  });

  test('reads, adds, changes and deletes variables', async () => {
    const { env } = await run(
      `process.env.NEW = process.env.GREETING + 1; delete process.env.GONE; process.env.N = 5`,
      { env: { GREETING: 'hello', GONE: 'x' } },
    );
    expect(env).toEqual({ GREETING: 'hello', NEW: 'hello1', N: '5' });
  });

  test('replaces its variables as a whole', async () => {
    expect((await run(`process.env = { ONLY: 1 }`)).env).toEqual({ ONLY: '1' });
  });

  test('awaits and returns at its top level', async () => {
    const code = `await new Promise((ok) => setTimeout(ok, 5)); request.body = 'a'; return; request.body = 'b'`;
    expect((await run(code)).request.body).toBe('a');
  });

  test('has no response', async () => {
    expect(await found('typeof response')).toBe('undefined');
  });

  test('keeps what it changed before it failed', async () => {
    const { request, env, error } = await run(
      `request.headers.a = 'b'; process.env.X = 'y';\n\nnull.x;`,
    );
    expect(error).toMatchObject({ kind: 'thrown', line: 3 });
    expect(request.headers.a).toBe('b');
    expect(env.X).toBe('y');
  });
});

describe('a teardown script', () => {
  test('changes the response and keeps its timings', async () => {
    const task = teardownTask(
      `const parsed = JSON.parse(response.body); parsed.token = '*'; response.body = JSON.stringify(parsed); response.statusCode = 201`,
    );
    const { response, error } = await host.run(task);
    expect(error).toBeNull();
    expect(response).toEqual({ ...task.response, body: '{"token":"*"}', statusCode: 201 });
  });

  test('cannot change the request', async () => {
    const task = teardownTask(
      `request.url = 'x'; request.headers.a = 'b'; response.body = request.url`,
    );
    const { request, response } = await host.run(task);
    expect(request).toEqual(task.request);
    expect(response?.body).toBe(task.request.url);
  });

  test.each(['"fine"', '1e300', '200.5', '99', '1000', '-200', 'NaN', 'undefined', '1n << 70n'])(
    'may not leave the status %s, and nothing else is lost with it',
    async (status) => {
      const code = `response.body = 'scrubbed'; response.statusCode = ${status}`;
      const { error, response } = await host.run(teardownTask(code));
      expect(error).toMatchObject({
        kind: 'thrown',
        message: 'TypeError: response.statusCode must be a whole number from 100 to 999',
      });
      expect(response).toMatchObject({ statusCode: 200, body: 'scrubbed' });
    },
  );

  test.each(['""', 'éé', '\\n\\n'])('scrubs a body of 250 KB full of %s', async (text) => {
    const code = `response.body = response.body.replaceAll('SECRET', '***')`;
    const task = teardownTask(code);
    const body = `SECRET${text.repeat(250_000 / Buffer.byteLength(text))}`;
    const { error, response } = await host.run({
      ...task,
      response: task.response && { ...task.response, body },
    });
    expect(error).toBeNull();
    expect(response?.body).toBe(body.replace('SECRET', '***'));
  });

  test.each([
    ['too-large', `response.body = response.body + 'x'.repeat(3e5)`],
    ['thrown', `response.headers = new Proxy({}, { ownKeys() { throw new Error('no') } })`],
    ['thrown', `response = { get body() { throw new Error('no') } }; null.x`],
    ['timeout', `response.body = ''; for (;;);`],
    ['syntax', `response.body = ;`],
  ])('of which nothing can be read says so (%s): %s', async (kind, code) => {
    const task = teardownTask(code, kind === 'timeout' ? { timeoutMs: 1_000 } : {});
    expect(await host.run(task)).toMatchObject({ error: { kind }, response: null });
  });

  test('may leave a status as text', async () => {
    const { error, response } = await host.run(teardownTask(`response.statusCode = '204'`));
    expect([error, response?.statusCode]).toEqual([null, 204]);
  });
});

describe('an error tells', () => {
  test.each([
    ['throw new Error("boom")', 'boom', 1, 7],
    ['\n  throw new TypeError("bad")', 'TypeError: bad', 2, 9],
    ['const f = () => {\n  missing();\n};\nf()', 'ReferenceError: missing is not defined', 2, 3],
    ['throw "text"', 'The script threw text', null, null],
    ['throw { code: 5 }', 'The script threw {"code":5}', null, null],
    ['require("fs")', null, 1, 1],
    ['\neval("throw new Error(1)")', '1', 2, 1],
    ['const e = Error("x"); e.stack = "  at setup script:1e99:1"; throw e', 'x', 1, 1],
    [
      'const e = Error("x"); e.stack = "  at setup script:9007199254740993:1"; throw e',
      'x',
      null,
      null,
    ],
  ])('where it is, in %j', async (code, message, line, column) => {
    const { error } = await run(code);
    expect(error).toMatchObject({ kind: 'thrown', line, column });
    if (message !== null) expect(error?.message).toBe(message);
  });

  test.each([
    [`require('chai').expect(1).to.equal(2)`, 'AssertionError: expected 1 to equal 2'],
    [`const u = new URL('http://a.test'); u.href = 'none'`, 'Invalid URL: none'],
    [
      `const u = new URL('http://a.test'); u.pathname = 'x'.repeat(7e4)`,
      'Part of a URL too long: pathname',
    ],
  ])('what is wrong, in %s', async (code, message) => {
    // A runtime that has chai.
    const { error } = await run(`\n${code}`, { runtimeId: '2024.02' });
    expect(error).toMatchObject({ kind: 'thrown', message, line: 2 });
  });

  test.each([
    [
      'when it is called',
      `\nrequire('./snippets/it.js')()`,
      'module.exports = () => {\n  null.x }',
    ],
    ['when it is loaded', `\nrequire('./snippets/it.js')`, `const a = 1;\nnull.x`],
  ])('which line of a snippet threw %s', async (_when, code, it) => {
    const { error } = await run(code, { snippets: { it } });
    const message = `TypeError: Cannot read properties of null (reading 'x') (in snippet "it", line 2)`;
    expect(error).toMatchObject({ message, line: 2 });
  });

  test('where the syntax breaks', async () => {
    expect((await run('const a = 1;\n  let b = ;')).error).toEqual({
      kind: 'syntax',
      message: "SyntaxError: Unexpected token ';'",
      line: 2,
      column: 11,
    });
  });

  test('what cannot be required, by name', async () => {
    expect((await run('require("fs")')).error?.message).toContain('"fs" is not available');
  });

  test('how long a script had', async () => {
    const { error } = await run('for (;;) {}', { timeoutMs: 200 });
    expect(error).toMatchObject({
      kind: 'timeout',
      message: 'The script did not finish in 200 ms',
    });
  });
});

test('console lines become log lines, with their levels', async () => {
  const { log } = await run(
    `console.log('a %s %d', 'b', 2, { c: [1] }); console.debug('d'); console.warn('w'); console.error('e')`,
  );
  expect(log.map(({ level, msg }) => [level, msg])).toEqual([
    ['INFO', 'a b 2 { c: [ 1 ] }'],
    ['DEBUG', 'd'],
    ['WARN', 'w'],
    ['ERROR', 'e'],
  ]);
});

describe('console', () => {
  test.each([
    [`'%d %i %f %d', Symbol('s'), 5n, '1.5x', {}`, 'NaN 5n 1.5 NaN'],
    [`'%j %j', { a: 1 }, { a: 1n }`, '{"a":1} { a: 1n }'],
    [`'%s%%', Symbol('s')`, 'Symbol(s)%'],
    [`new URL('http://a.test/b'), new (class Foo { x = 1 })()`, 'URL http://a.test/b Foo { x: 1 }'],
    [`Object.assign(new Error(), { stack: 5 })`, '5'],
    [
      `new (class { toString() { throw new Error('no') } })(), 1`,
      '[Object that cannot be shown] 1',
    ],
    [
      `[new Proxy({}, { getPrototypeOf() { throw new Error('no') } })]`,
      '[ [Object that cannot be shown] ]',
    ],
    [
      `(() => { const a = new Map(); a.set('a', a); return a })()`,
      "Map(1) [ [ 'a', [Circular] ] ]",
    ],
  ])('shows %s', async (values, expected) => {
    const { log, error } = await run(`console.log(${values})`);
    expect([log[0]?.msg, error]).toEqual([expected, null]);
  });

  test('shows an error with its cause and the frames of the script alone', async () => {
    const { log } = await run(`console.error(new Error('outer', { cause: new Error('inner') }))`);
    expect(log[0]?.msg.replaceAll(/:\d+/g, '')).toBe(
      'Error: outer\n    at setup script\n  [cause]: Error: inner\n    at setup script',
    );
  });

  test.each([
    'debug',
    'info',
    'warn',
    'error',
    'log',
    'dir',
    'dirxml',
    'table',
    'trace',
    'group',
    'groupCollapsed',
    'groupEnd',
    'assert',
    'count',
    'countReset',
    'time',
    'timeLog',
    'timeEnd',
  ])('has %s', async (name) => {
    expect((await run(`console.${name}('x')`)).error).toBeNull();
  });
});

describe('assert', () => {
  test.each([
    'deepEqual(new Map([[1, { a: [1] }]]), new Map([[1, { a: [1] }]]))',
    'deepEqual(new Set([1]), new Set([1]))',
    '(() => { const a = {}, b = {}; a.a = a; b.a = b; assert.deepEqual(a, b) })()',
    'notDeepEqual({ a: 1 }, { a: 2 })',
    'notEqual(1, 2)',
    'doesNotMatch("a", /b/)',
    'ifError(null)',
    'throws(() => null.x)',
    'throws(() => null.x, TypeError)',
    'throws(() => null.x, /null/)',
    'throws(() => null.x, { name: "TypeError", message: /null/ })',
    'throws(() => null.x, (e) => e.name === "TypeError")',
    'rejects(Promise.reject(new Error("no")), /no/)',
    'rejects(async () => null.x, TypeError)',
    'doesNotThrow(() => 1)',
    'doesNotReject(Promise.resolve(1))',
  ])('passes %s', async (call) => {
    const whole = call.startsWith('(') ? call : `assert.${call}`;
    const { error } = await run(`const assert = require('node:assert'); await ${whole}`);
    expect(error).toBeNull();
  });

  test.each([
    'deepEqual(new Map([[1, 2]]), new Map([[1, 3]]))',
    'deepEqual(new Map([[1, 2]]), new Map())',
    'deepEqual(new Set([1]), new Set([2]))',
    'deepEqual(/a/, /b/)',
    'deepEqual(new Date(0), new Date(1))',
    'deepEqual(new Error("a"), new Error("b"))',
    'deepEqual(Buffer.from("a"), Buffer.from("b"))',
    'deepEqual([1], { 0: 1 })',
    'notDeepEqual({ a: 1 }, { a: 1 })',
    'throws(() => 1)',
    'throws(() => null.x, RangeError)',
    'throws(() => null.x, /undefined/)',
    'throws(() => null.x, { name: "Error" })',
    'throws(() => null.x, () => false)',
    'rejects(Promise.resolve(1))',
    'rejects(Promise.reject(new Error("no")), /yes/)',
  ])('fails %s', async (call) => {
    const { error } = await run(`await require('node:assert').${call}`);
    expect(error?.message).toMatch(/^AssertionError: /);
  });
});

test('a script that ran out of time leaves the lines it had logged', async () => {
  const { log } = await run(`console.log('before'); for (;;) {}`, { timeoutMs: 200 });
  expect(log.map(({ msg }) => msg)).toEqual(['before']);
});

test('a flood of log lines ends with one line that says so', async () => {
  const { log } = await run(`for (let i = 0; i < 5000; i++) console.log(i)`);
  expect(log).toHaveLength(1_001);
  expect(log.at(-1)).toMatchObject({ level: 'WARN', msg: expect.stringContaining('left out') });
});

describe('a script finds', () => {
  test.each([
    [
      `require('crypto').createHash('sha256').update('a').update('b').digest('hex')`,
      'fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603',
    ],
    [
      `require('node:crypto').createHmac('md5', 'key').update('x').digest('base64')`,
      'c9ixc7n9Nakz4vaQM/VRww==',
    ],
    [`String(require('crypto').timingSafeEqual(Buffer.from('a'), Buffer.from('a')))`, 'true'],
    [`String(/^[\\da-f-]{36}$/.test(crypto.randomUUID()))`, 'true'],
    [`String(crypto.getRandomValues(new Uint8Array(16)).length)`, '16'],
    [`Buffer.from('grüß 😀').toString('base64')`, 'Z3LDvMOfIPCfmIA='],
    [`Buffer.from('Z3LDvMOfIPCfmIA=', 'base64').toString()`, 'grüß 😀'],
    [`Buffer.concat([Buffer.from('6162', 'hex'), Buffer.from([99])]).toString('latin1')`, 'abc'],
    [`Buffer.from([251, 255]).toString('base64url') + Buffer.byteLength('ä')`, '-_82'],
    [
      `[Buffer.from('abcabc').indexOf('ca'), Buffer.from('abc').includes('x'), Buffer.from('aba').indexOf(97, 1), Buffer.from('äb').indexOf(Buffer.from('b'))].join()`,
      '2,false,2,2',
    ],
    [
      `Buffer.from([1, 2, 3, 4]).readUInt32BE(0) + ',' + Buffer.from([1, 2, 0xff]).readUint16LE(1) + ',' + Buffer.from([0xff]).readInt8()`,
      '16909060,65282,-1',
    ],
    [
      `(() => { const b = Buffer.alloc(12); b.writeUInt32BE(0xdeadbeef, 2); b.writeDoubleLE(1.5, 4); return b.toString('hex') })()`,
      '0000dead000000000000f83f',
    ],
    [
      `(() => { try { Buffer.alloc(2).readUInt32LE() } catch (e) { return e.name } })()`,
      'RangeError',
    ],
    [
      `Buffer.from('hé', 'utf16le').toString('hex') + Buffer.from('6800e900', 'hex').toString('ucs2')`,
      '6800e900hé',
    ],
    [`Buffer.from(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2).toString('hex')`, '0203'],
    [
      `Buffer.alloc(5, 'ab').toString() + Buffer.alloc(2, 7).toString('hex') + Buffer.alloc(2, '').toString('hex')`,
      'ababa07070000',
    ],
    [
      `(() => { const b = Buffer.alloc(4); const n = Buffer.from('abcdef').copy(b, 1, 2); return n + b.toString('latin1').replace('\\0', '-') })()`,
      '3-cde',
    ],
    [`Buffer.from([0xff, 0x61, 0xc3]).toString()`, '\ufffda\ufffd'],
    [`atob(btoa('hello'))`, 'hello'],
    [
      `new URL('../b?x=1#h', 'https://u:p@a.test:8443/c/d').href`,
      'https://u:p@a.test:8443/b?x=1#h',
    ],
    [
      `(() => { const u = new URL('http://a.test'); u.searchParams.append('q', 'a b&c'); u.pathname = '/x'; return u.href })()`,
      'http://a.test/x?q=a+b%26c',
    ],
    [`new URLSearchParams({ a: '1', b: 'ü' }).toString()`, 'a=1&b=%C3%BC'],
    [`new TextDecoder().decode(new TextEncoder().encode('é'))`, 'é'],
    [`require('querystring').stringify({ a: ['1', '2'], b: 'c d' })`, 'a=1&a=2&b=c%20d'],
    [`JSON.stringify(require('querystring').parse('a=1&a=2&b=%20'))`, '{"a":["1","2"],"b":" "}'],
    [
      `require('util').inspect({ a: new Map([[1, 'x']]), b: null })`,
      "{ a: Map(1) [ [ 1, 'x' ] ], b: null }",
    ],
    [
      `(() => { try { require('assert').strictEqual(1, 2) } catch (e) { return e.name + e.message } })()`,
      'AssertionErrorExpected 1 to be 2',
    ],
    [
      `require('path').join('/a', '../b', 'c.txt') + require('path').extname('x.tar.gz')`,
      '/b/c.txt.gz',
    ],
    [
      `(() => { const E = require('events'); const e = new (class extends E {})(); let sum = 0; e.once('x', (n) => (sum += n)); e.on('x', (n) => (sum += n)); e.emit('x', 1); e.emit('x', 2); return String(sum) })()`,
      '4',
    ],
    [
      `(() => { const d = new (require('string_decoder').StringDecoder)('utf8'); return d.write(Buffer.from([0xe2, 0x82])) + '|' + d.write(Buffer.from([0xac])) + d.end() })()`,
      '|€',
    ],
    [`await require('timers/promises').setTimeout(1, 'later')`, 'later'],
    [`String(require('util').isDeepStrictEqual({ a: new Set([1]) }, { a: new Set([1]) }))`, 'true'],
    [`JSON.stringify([...new Headers({ 'X-B': 1, a: 2 })])`, '[["a","2"],["x-b","1"]]'],
    [
      `(() => { const h = new Headers(); h.append('A', 1); h.append('a', 2); h.delete('b'); return h.get('A') + h.has('b') })()`,
      '1, 2false',
    ],
    [`String(performance.now() >= 0 && performance.timeOrigin > 1e12)`, 'true'],
    [
      `(() => { const a = { d: new Date(0), m: new Map([[1, { x: [1] }]]), s: new Set([1]) }; a.a = a; const b = structuredClone(a); return [b !== a, b.a === b, b.d.getTime(), b.m.get(1).x[0], b.m.get(1) !== a.m.get(1), b.s.has(1)].join() })()`,
      'true,true,0,1,true,true',
    ],
    [
      `(() => { const v = new DataView(new Uint8Array([1, 2, 3]).buffer, 1); const c = structuredClone({ v }).v; return [c instanceof DataView, c.byteLength, c.getUint8(0), c.buffer !== v.buffer].join() })()`,
      'true,2,2,true',
    ],
    [
      `(() => { const b = Buffer.from('ab'); const c = structuredClone(b); b[0] = 0; return [c.constructor.name, c.join(), structuredClone(new Float32Array([1.5])).join(), structuredClone(b.buffer).byteLength].join(';') })()`,
      'Uint8Array;97,98;1.5;2',
    ],
    [
      `['createHash', 'createHmac'].map((name) => require('crypto')[name]('md5', 'key').update(new DataView(Buffer.from('-a').buffer, 1)).digest('hex')).join()`,
      '0cc175b9c0f1b6a831c399e269772661,80ea44ccea14cc2263889567cfacccd7',
    ],
    [
      `(() => { try { structuredClone({ f() {} }) } catch (e) { return e.name } })()`,
      'DataCloneError',
    ],
    [
      `(() => { const c = new AbortController(); let told = 0; c.signal.addEventListener('abort', () => told++); c.abort('why'); c.abort(); return [told, c.signal.aborted, c.signal.reason].join() })()`,
      '1,true,why',
    ],
    [
      `(() => { const c = new AbortController(); let told = 0; c.signal.addEventListener('abort', { handleEvent() { told++ } }); c.signal.onabort = function () { if (this === c.signal) told++ }; c.abort(); return String(told) })()`,
      '2',
    ],
    [`require('./snippets/one.js').two + require('./snippets/one').two`, '22'],
  ])('%s', async (expression, value) => {
    const snippets = {
      one: `exports.two = require('./snippets/two.js')`,
      two: `module.exports = '2'`,
    };
    expect(await found(expression, { snippets })).toBe(value);
  });

  test('every listener of a signal told, even where one throws; its error ends the script', async () => {
    const { error, request } = await run(`const c = new AbortController(); const { signal } = c;
      signal.onabort = () => { throw new Error('mine') };
      signal.addEventListener('abort', () => { request.body = 'told' });
      c.abort(); request.headers.after = 'abort'; await new Promise((ok) => setTimeout(ok, 5))`);
    expect(error).toMatchObject({ kind: 'thrown', message: 'mine' });
    expect([request.body, request.headers.after]).toEqual(['told', 'abort']);
  });

  test('an error of a snippet that names it', async () => {
    const { error } = await run(`\nrequire('./snippets/bad.js')`, { snippets: { bad: 'let = ;' } });
    expect(error).toMatchObject({ kind: 'thrown', line: 2 });
    expect(error?.message).toContain('in snippet "bad"');
  });

  test('intervals and timers that can be cleared', async () => {
    expect(
      await found(
        `new Promise((ok) => { let n = 0; const t = setInterval(() => { if (++n === 3) { clearInterval(t); ok('three') } }, 1); clearTimeout(setTimeout(() => ok('never'), 1)) })`,
      ),
    ).toBe('three');
  });
});
