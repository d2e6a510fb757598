import { expect, test } from 'vitest';
import { pastedCheck } from '#shared/checks/pasted-check.ts';
import { CHECK_SCHEMAS } from '#shared/checks/schemas.ts';
import { shellWords } from '#shared/checks/shell-words.ts';

test.each([
  ['a \'b c\' "d \\" e"', ['a', 'b c', 'd " e']],
  ['a\\ b c\\\n d', ['a b', 'c', 'd']],
  ["$'it\\'s\\n\\u00e9'", ["it's\né"]],
  ['\'a\'"b"c', ['abc']],
  ["a '' b", ['a', '', 'b']],
  ['curl http://a/?x=1&y=2 | jq', ['curl', 'http://a/?x=1&y=2']],
  ['a; rm -rf /', ['a']],
  ['say "$HOME" `id`', ['say', '$HOME', '`id`']],
])('a shell reads %j as %j', (line, words) => {
  expect(shellWords(line)).toEqual(words);
});

test.each(["a 'b", 'a "b', "a $'b"])('an open quote is no command: %j', (line) => {
  expect(shellWords(line)).toBeNull();
});

test.each([
  ['https://example.com/health?a=1', 'https://example.com/health?a=1', 'example.com/health'],
  ['  example.com ', 'https://example.com', 'example.com'],
  ['localhost:3000/up', 'http://localhost:3000/up', 'localhost:3000/up'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000', '127.0.0.1:3000'],
  ['localhost.example.com', 'https://localhost.example.com', 'localhost.example.com'],
  ['http://intranet/up', 'http://intranet/up', 'intranet/up'],
])('%j is a check of the URL', (text, url, name) => {
  const { check } = pastedCheck(text);
  expect(check).toMatchObject({ checkType: 'URL', name, request: { method: 'GET', url } });
});

test.each([
  ['', 'empty'],
  ['hello', 'unreadable'],
  ['two words.com', 'unreadable'],
  ['ftp://example.com', 'unreadable'],
  ['curl -s', 'noUrl'],
  ["curl 'https://a.com", 'unreadable'],
  ['curl https://a.com -d @body.json', 'needsFile'],
])('%j is refused: %s', (text, problem) => {
  expect(pastedCheck(text)).toEqual({ problem });
});

const requestOf = (text: string) => pastedCheck(text).check?.request;

test('a command of a browser brings its method, headers and body along', () => {
  const request = requestOf(`curl 'https://shop.example.com/api/cart?x=1' \\
  -H 'accept: application/json' \\
  -H 'content-type: application/json' \\
  -b 'session=abc; theme=dark' \\
  --data-raw $'{"name":"it\\'s"}' --compressed`);
  expect(request).toEqual({
    method: 'POST',
    url: 'https://shop.example.com/api/cart?x=1',
    followRedirects: false,
    skipSSL: false,
    ipFamily: 'IPv4',
    headers: [
      { key: 'accept', value: 'application/json', locked: false },
      { key: 'content-type', value: 'application/json', locked: false },
      { key: 'cookie', value: 'session=abc; theme=dark', locked: false },
    ],
    queryParameters: [],
    assertions: [],
    bodyType: 'JSON',
    body: '{"name":"it\'s"}',
  });
});

test.each([
  [
    'curl -sSLk -XPUT -u ada:love:lace a.com',
    { method: 'PUT', followRedirects: true, skipSSL: true },
  ],
  ['curl -u ada:love:lace a.com', { basicAuth: { username: 'ada', password: 'love:lace' } }],
  ['curl a.com -d a=1 -d b=2', { method: 'POST', bodyType: 'FORM', body: 'a=1&b=2' }],
  ['curl -G a.com/?z=0 -d a=1', { method: 'GET', url: 'https://a.com/?z=0&a=1', bodyType: 'NONE' }],
  ['curl --json \'{"a":1}\' a.com', { method: 'POST', bodyType: 'JSON' }],
  ["curl a.com -H 'content-type: text/xml' -d '<a/>'", { bodyType: 'RAW', body: '<a/>' }],
  ['curl -o /dev/null -m 10 -w "%{http_code}" a.com', { url: 'https://a.com' }],
  ['curl --request=DELETE -6 --url a.com', { method: 'DELETE', ipFamily: 'IPv6' }],
  ['curl --data-urlencode "q=a b&c" a.com', { body: 'q=a%20b%26c' }],
  ['curl -I a.com', { method: 'HEAD' }],
])('%s', (command, request) => {
  expect(requestOf(command)).toMatchObject(request);
});

test('what is read of a command can be sent as a check', () => {
  const { check } = pastedCheck("curl -X OPTIONS -u a 'https://a.com' -H 'x:1' -d b");
  expect(CHECK_SCHEMAS.API.create.safeParse(check).success).toBe(true);
});
