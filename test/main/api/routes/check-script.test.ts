import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Harness, startApi } from '../../../fixtures/api-harness.ts';

let api: Harness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const check = async (code: string) =>
  (await api.call('POST', '/app/scripts/check', { body: { code } })).body;

test.each([
  ['nothing', ''],
  ['await and return at the top', 'const a = await 1;\nreturn a;'],
  ['new syntax', 'using a = null; const { b = 1, ...c } = x ?? {}; class D { #e = 1n }'],
  ['sloppy code', 'with (a) { b = 010 }'],
])('a script with %s is well', async (_, code) => {
  expect(await check(code)).toEqual({ ok: true });
});

test.each([
  ['const a = ;', 'Unexpected token', 1, 11],
  ['let a = 1;\nlet a = 2;', "Identifier 'a' has already been declared", 2, 5],
  ['}\n', 'Unexpected token', 1, 1],
  ['a = "', 'Unterminated string constant', 1, 5],
  ['}); a(); (async function () {', 'Unexpected token', 1, 1],
  ['f(', 'Unexpected token', 1, 3],
  ['import a from "b"', "'import' and 'export' may appear only with 'sourceType: module'", 1, 1],
])('%j is refused with its place', async (code, message, line, column) => {
  expect(await check(code)).toEqual({ ok: false, message, line, column });
});

test.each([
  ['lists', '['.repeat(200_000), 'Not enough stack space to parse input'],
  ['a regular expression', `/${'('.repeat(200_000)}/`, 'The script is nested too deeply'],
])('a script with %s nested too deeply blocks nobody', async (_, code, message) => {
  const [verdict, health] = await Promise.all([
    check(code),
    api.call('GET', '/healthz', { key: null }),
  ]);
  expect(verdict).toMatchObject({ ok: false, message });
  expect(health.status).toBe(200);
});

test('nothing of a script is run', async () => {
  const before = process.env.WP_CHECK_SCRIPT;
  expect(await check('process.env.WP_CHECK_SCRIPT = "ran"; throw 1')).toEqual({ ok: true });
  expect(process.env.WP_CHECK_SCRIPT).toBe(before);
});

test('it needs a key, and a script within its bound', async () => {
  const body = { code: 'é'.repeat(128 * 1024 + 1) };
  expect((await api.call('POST', '/app/scripts/check', { body, key: null })).status).toBe(401);
  expect((await api.call('POST', '/app/scripts/check', { body })).status).toBe(400);
});
