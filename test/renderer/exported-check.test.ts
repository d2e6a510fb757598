import { expect, test } from 'vitest';
import type { ShownCheck } from '#renderer/api/answers.ts';
import { bodyOf, quoted, requestCommand } from '#renderer/screens/check/exported-check.ts';

const check = (given: object) =>
  ({ checkType: 'API', id: '1', name: 'A check', created_at: 'now', ...given }) as ShownCheck;
const request = (given: object) => ({
  method: 'GET',
  url: 'https://shop.example/',
  followRedirects: false,
  skipSSL: false,
  ipFamily: 'IPv4',
  bodyType: 'NONE',
  body: '',
  headers: [],
  queryParameters: [],
  ...given,
});

test.each([
  ['plain', "'plain'"],
  ["it's; rm -rf /", `'it'\\''s; rm -rf /'`],
  ['$(date) `id` "$HOME"', `'$(date) \`id\` "$HOME"'`],
])('for a shell %s is only text', (text, expected) => {
  expect(quoted(text)).toBe(expected);
});

test('the request of a check is one curl command, with all that it sends', () => {
  const sent = request({
    method: 'POST',
    url: 'https://shop.example/?a=1',
    followRedirects: true,
    skipSSL: true,
    bodyType: 'JSON',
    body: '{"cart":1}',
    headers: [{ key: 'x-a', value: 'b' }],
    queryParameters: [{ key: 'q', value: 'a b' }],
  });
  expect(requestCommand(check({ request: sent }))).toBe(
    [
      "curl -sS -i -X POST 'https://shop.example/?a=1&q=a+b'",
      '-L',
      '-k',
      '-4',
      "-H 'x-a: b'",
      "-H 'content-type: application/json'",
      `--data-raw '{"cart":1}'`,
    ].join(' \\\n  '),
  );
});

test('a content type of its own stays, and other types have no such command', () => {
  const headers = [{ key: 'Content-Type', value: 'text/json' }];
  const sent = request({ headers, bodyType: 'JSON', body: '1' });
  expect(requestCommand(check({ request: sent }))?.match(/content-type/gi)).toHaveLength(1);
  expect(requestCommand(check({ checkType: 'TCP' }))).toBeUndefined();
});

test('what is exported can be created again: without what the appliance gave it, or is secret', () => {
  const shown = check({ muted: true, groupId: null, request: { a: 1 }, updated_at: null });
  expect(bodyOf(shown)).toEqual({ name: 'A check', muted: true, request: { a: 1 } });
  const heartbeat = { period: 1, periodUnit: 'hours', grace: 1, graceUnit: 'hours' };
  const job = { ...heartbeat, pingToken: 'secret', pingUrl: 'http://a/ping/secret' };
  expect(bodyOf(check({ checkType: 'HEARTBEAT', heartbeat: job }))).toEqual({
    name: 'A check',
    heartbeat,
  });
});
