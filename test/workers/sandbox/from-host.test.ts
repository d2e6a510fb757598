import { expect, test } from 'vitest';
import { readMessage } from '#workers/sandbox/from-host.ts';

const request = { method: 'GET', url: 'u', body: '', headers: {}, queryParameters: {} };
const response = {
  statusCode: 200,
  statusText: '',
  body: '',
  headers: {},
  timings: {},
  timingPhases: {},
};
const outcome = { error: null, request, response: null, env: {}, log: [], durationMs: 1.5 };
const done = { type: 'done', id: 1, outcome };
const fetch = {
  type: 'fetch',
  id: 1,
  call: 1,
  request: { method: 'GET', url: 'u', headers: {}, body: '', followRedirects: true },
};

test.each([[done], [{ ...done, outcome: { ...outcome, response } }], [fetch], [{ type: 'stuck' }]])(
  'the message %j is understood',
  (message) => {
    expect(readMessage(JSON.stringify(message))).toEqual(message);
  },
);

test.each([
  'garbage',
  '',
  'null',
  '[]',
  '1',
  '{"type":"done"}',
  '{"type":"exec","id":1}',
  JSON.stringify({ ...done, id: '1' }),
  JSON.stringify({ ...done, outcome: null }),
  JSON.stringify({ ...done, outcome: { ...outcome, request: { ...request, headers: { a: 1 } } } }),
  JSON.stringify({ ...done, outcome: { ...outcome, error: { kind: 'other', message: '' } } }),
  JSON.stringify({
    ...done,
    outcome: { ...outcome, log: [{ time: 'x', level: 'INFO', msg: '' }] },
  }),
  JSON.stringify({
    ...done,
    outcome: { ...outcome, response: { ...response, statusCode: 1e300 } },
  }),
  JSON.stringify({ ...fetch, request: { ...fetch.request, url: { toString: 'x' } } }),
])('the line %j is none of a host', (line) => {
  expect(readMessage(line)).toBeNull();
});

const many = (count: number, value: string | number = '') =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, value]));
const withRequest = (members: object) => ({ ...fetch, request: { ...fetch.request, ...members } });
const withOutcome = (members: object) => ({ ...done, outcome: { ...outcome, ...members } });
const line = { time: 1, level: 'INFO', msg: '' };

test.each([
  ['headers of a request', withRequest({ headers: many(1_001) })],
  ['characters of its headers', withRequest({ headers: { a: 'x'.repeat(65_536) } })],
  ['characters of its URL', withRequest({ url: 'x'.repeat(65_537) })],
  ['characters of its method', withRequest({ method: 'X'.repeat(101) })],
  ['bytes of its body', withRequest({ body: 'x'.repeat(5 * 1024 * 1024 + 1) })],
  ['headers that a script left', withOutcome({ request: { ...request, headers: many(1_001) } })],
  [
    'parameters that a script left',
    withOutcome({ request: { ...request, queryParameters: many(1_001) } }),
  ],
  [
    'bytes of a response that a script left',
    withOutcome({ response: { ...response, body: 'x'.repeat(256 * 1024 + 1) } }),
  ],
  ['timings', withOutcome({ response: { ...response, timings: many(101, 1) } })],
  ['variables', withOutcome({ env: many(2_001) })],
  ['characters of variables', withOutcome({ env: { a: 'x'.repeat(8 * 1024 * 1024) } })],
  ['lines of log', withOutcome({ log: Array.from({ length: 1_002 }, () => line) })],
  ['characters of log', withOutcome({ log: [{ ...line, msg: 'x'.repeat(512 * 1024 + 1) }] })],
  [
    'characters of an error',
    withOutcome({
      error: { kind: 'host', message: 'x'.repeat(512 * 1024 + 1), line: null, column: null },
    }),
  ],
])('a message with too many %s is none of a host', (_what, message) => {
  expect(readMessage(JSON.stringify(message))).toBeNull();
});

test('a message of nothing but structure is not even parsed', () => {
  const nested = 100_000;
  expect(readMessage('['.repeat(nested) + ']'.repeat(nested))).toBeNull();
  expect(readMessage(JSON.stringify(withRequest({ headers: many(600_000) })))).toBeNull();
});
