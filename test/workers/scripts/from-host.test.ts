import { expect, test } from 'vitest';
import { readMessage } from '#workers/scripts/from-host.ts';

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
