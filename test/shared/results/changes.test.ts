import { describe, expect, test } from 'vitest';
import { type Change, changesBetween, type Usual } from '#shared/results/changes.ts';
import type { HttpDetail, ResultDetails } from '#shared/results/details.ts';
import { cpuMsOf } from '../../fixtures/cpu-time.ts';

type Response = NonNullable<HttpDetail['response']>;

const http = (response: Partial<Response>): ResultDetails => ({
  apiCheckResult: { response: { status: 200, statusText: 'OK', ...response } },
});
const connection = { address: '203.0.113.10', tlsMs: 20, certificate: null };
const body = (value: unknown) => http({ body: JSON.stringify(value) });
const phases = (firstByte: number) =>
  http({ timingPhases: { dns: 1, tcp: 2, firstByte, download: 1 } });
const USUAL: Usual = { firstByte: { p50: 74, p95: 90 } };

const CASES: [string, ResultDetails, ResultDetails, Partial<Change>[]][] = [
  ['nothing changed', http({ body: 'a' }), http({ body: 'a' }), []],
  [
    'another status',
    http({}),
    http({ status: 502, statusText: 'Bad Gateway' }),
    [{ kind: 'status', before: '200 OK', after: '502 Bad Gateway' }],
  ],
  [
    'no answer at all',
    http({}),
    http({ status: 0, statusText: '' }),
    [{ kind: 'status', before: '200 OK', after: null }],
  ],
  [
    'led on to another address',
    http({ href: 'https://a.example/' }),
    http({ href: 'https://b.example/' }),
    [{ kind: 'url', before: 'https://a.example/', after: 'https://b.example/' }],
  ],
  [
    'another machine',
    http({ connection }),
    http({ connection: { ...connection, address: '203.0.113.11' } }),
    [{ kind: 'address', before: '203.0.113.10', after: '203.0.113.11' }],
  ],
  ['an address that was not kept is none that changed', http({}), http({ connection }), []],
  [
    'a new certificate',
    http({
      connection: {
        ...connection,
        certificate: { domain: 'shop.example', notAfter: '2026-01-01T00:00:00.000Z' },
      },
    }),
    http({
      connection: {
        ...connection,
        certificate: { domain: 'shop.example', notAfter: '2026-04-01T00:00:00.000Z' },
      },
    }),
    [
      {
        kind: 'certificate',
        before: 'shop.example, until 2026-01-01',
        after: 'shop.example, until 2026-04-01',
      },
    ],
  ],
  [
    'headers that came, went and changed, by name',
    http({ headers: { server: 'shop/4.12', 'x-cache': 'HIT', same: '1' } }),
    http({ headers: { server: 'nginx', via: '1.1 proxy', same: '1' } }),
    [
      { kind: 'header', name: 'server', before: 'shop/4.12', after: 'nginx' },
      { kind: 'header', name: 'via', before: null, after: '1.1 proxy' },
      { kind: 'header', name: 'x-cache', before: 'HIT', after: null },
    ],
  ],
  [
    'headers that are another one in every answer do not count',
    http({ headers: { date: 'now', 'x-request-id': '1', 'cf-ray': 'a', 'content-length': '5' } }),
    http({ headers: { date: 'later', 'x-request-id': '2', 'cf-ray': 'b', 'content-length': '6' } }),
    [],
  ],
  ['headers of no answer', http({ headers: { server: 'a' } }), http({ headers: {} }), []],
  [
    'a value in JSON',
    body({ cart: { items: 3 }, ok: true }),
    body({ cart: { items: 4 }, ok: true }),
    [{ kind: 'body', name: '$.cart.items', before: '3', after: '4' }],
  ],
  [
    'members that came, went or are of another kind come before values',
    body({ n: 1, gone: 'x', kind: 1 }),
    body({ n: 2, came: [1, 2], kind: '1' }),
    [
      { name: '$.gone', before: '"x"', after: null },
      { name: '$.kind', before: '1', after: '"1"' },
      { name: '$.came', before: null, after: '2 items' },
      { name: '$.n', before: '1', after: '2' },
    ],
  ],
  [
    'lists of another length are told as lists',
    body({ a: [1, 2, 3] }),
    body({ a: [1] }),
    [{ name: '$.a', before: '3 items', after: '1 item' }],
  ],
  [
    'names that no path has plainly',
    body({ 'a b': [{ c: 1 }] }),
    body({ 'a b': [{ c: null }] }),
    [{ name: '$["a b"][0].c', before: '1', after: 'null' }],
  ],
  [
    'JSON that became a page',
    http({ body: '{"a":1}' }),
    http({ body: '<html>502</html>' }),
    [{ kind: 'body', name: '', before: '{"a":1}', after: '<html>502</html>' }],
  ],
  [
    'a phase beyond its usual spread',
    phases(74),
    phases(214),
    [{ kind: 'phase', name: 'firstByte', before: 74, after: 214, usual: USUAL.firstByte }],
  ],
  ['a phase within its usual spread', phases(60), phases(89), []],
  ['a phase that is slower by what nobody notices', phases(1), phases(4), []],
  [
    'a name that does not resolve any more',
    { dnsCheckResult: { response: { returnCode: 'NOERROR', answer: 'a 1.2.3.4' } } },
    { dnsCheckResult: { response: { returnCode: 'NXDOMAIN', answer: '' } } },
    [{ kind: 'status', before: 'NOERROR', after: 'NXDOMAIN' }],
  ],
  [
    'pings that are lost',
    { icmpCheckResult: { response: { packetLoss: 0 } } },
    { icmpCheckResult: { response: { packetLoss: 60 } } },
    [{ kind: 'status', before: '0 % lost', after: '60 % lost' }],
  ],
  ['results of which only the numbers are left', {}, {}, []],
];

describe('what changed since the last good run', () => {
  test.each(CASES)('%s', (_name, good, now, expected) => {
    expect(changesBetween(good, now, USUAL)).toMatchObject(expected);
    expect(changesBetween(good, now, USUAL)).toHaveLength(expected.length);
  });

  test('where nothing is known of what is usual, twice as long is slower', () => {
    expect(changesBetween(phases(50), phases(130), {})).toHaveLength(1);
    expect(changesBetween(phases(50), phases(95), {})).toHaveLength(0);
    expect(changesBetween(phases(5), phases(20), {})).toHaveLength(0);
  });

  test('a body of many differences names twelve, and a large one holds nobody up', () => {
    const many = (add: number) =>
      body(
        Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`m${index}`, index + add])),
      );
    expect(changesBetween(many(0), many(1), {})).toHaveLength(12);
    const [one, other] = ['a', 'b'].map((letter) => http({ body: letter.repeat(5_000_000) }));
    const compare = () => changesBetween(one ?? {}, other ?? {}, {});
    expect(compare()).toHaveLength(1);
    expect(cpuMsOf(compare)).toBeLessThan(100);
  });

  test('a document nested without end is compared as deep as people look', () => {
    const deep = (last: string) => `${'{"a":'.repeat(5_000)}${last}${'}'.repeat(5_000)}`;
    expect(changesBetween(http({ body: deep('1') }), http({ body: deep('2') }), {})).toEqual([]);
  });
});
