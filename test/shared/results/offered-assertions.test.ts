import { expect, test } from 'vitest';
import { JsonBudget } from '#shared/json-path/budget.ts';
import { queryJson } from '#shared/json-path/query.ts';
import { offeredAssertions } from '#shared/results/offered-assertions.ts';

const said = (details: Parameters<typeof offeredAssertions>[0]) =>
  offeredAssertions(details).map(({ source, property, comparison, target }) =>
    [source, property, comparison, target].filter(Boolean).join(' '),
  );
const http = (body: unknown, headers = {}) => ({
  apiCheckResult: { response: { status: 200, headers, body: JSON.stringify(body) } },
});

test('a response offers its status, the values of its JSON and its headers', () => {
  const body = { status: 'ok', items: [{ id: 7 }], none: null, empty: [], 'a b': true };
  const headers = { 'content-type': 'application/json', date: 'now', vary: ['a', 'b'] };
  expect(said(http(body, headers))).toEqual([
    'STATUS_CODE EQUALS 200',
    'JSON_BODY $.status EQUALS ok',
    'JSON_BODY $.items[0].id EQUALS 7',
    'JSON_BODY $.none IS_NULL',
    'JSON_BODY $.empty IS_EMPTY',
    "JSON_BODY $['a b'] EQUALS true",
    'HEADERS content-type EQUALS application/json',
    'HEADERS vary EQUALS a,b',
  ]);
});

test.each([{ "it's": 1 }, { 'back\\slash': 1 }, { 'über.': 1 }, { '': 1 }, { '$.x[0]': 1 }])(
  'the path to a value leads to it, whatever it is called: %j',
  (body) => {
    const path = offeredAssertions(http(body))[1]?.property ?? '';
    expect(queryJson(path, body, new JsonBudget())).toEqual({ values: [1] });
  },
);

test('what is long, deep or much is cut', () => {
  const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } };
  expect(said(http(deep))).toEqual(['STATUS_CODE EQUALS 200']);
  expect(said(http({ long: 'x'.repeat(300) }))[1]).toBe('JSON_BODY $.long NOT_EMPTY');
  expect(said(http(Array.from({ length: 1_000 }, (_, n) => n)))).toHaveLength(4);
  const wide = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n]));
  expect(said(http(wide))).toHaveLength(60);
});

test.each([
  [{}, []],
  [{ apiCheckResult: { response: { status: 0 } } }, []],
  [{ apiCheckResult: { response: { status: 200, body: '{oops' } } }, ['STATUS_CODE EQUALS 200']],
  [{ tcpCheckResult: { response: { data: '+PONG\r\n' } } }, ['RESPONSE_DATA CONTAINS +PONG']],
  [
    { dnsCheckResult: { response: { returnCode: 'NOERROR', answer: '' } } },
    ['RESPONSE_CODE EQUALS NOERROR'],
  ],
  [
    { icmpCheckResult: { response: { latency: { avg: 1.5, min: 1, max: 2, stdDev: 0.1 } } } },
    ['LATENCY avg LESS_THAN 5'],
  ],
])('%j offers %j', (details, offered) => {
  expect(said(details)).toEqual(offered);
});
