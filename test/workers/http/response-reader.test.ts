import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeptBody } from '#workers/http/kept-body.ts';
import { MAX_BODY_BYTES, ResponseReader } from '#workers/http/response-reader.ts';
import { BodyBudget } from '#workers/net/body-budget.ts';

/** Reads pieces as a connection brings them, and then its end. */
function read(
  pieces: Buffer[],
  { method = 'GET', keptBytes = MAX_BODY_BYTES, budget = 2 * MAX_BODY_BYTES } = {},
) {
  const kept = new KeptBody(new BodyBudget(budget));
  const reader = new ResponseReader(method, kept, () => keptBytes);
  for (const piece of pieces) {
    const state = reader.push(piece);
    if (state !== 'more') return { reader, body: kept.bytes, state };
  }
  return { reader, state: reader.end(), body: kept.bytes };
}

function readText(text: string, options = {}) {
  return read([Buffer.from(text, 'latin1')], options);
}

/** Cuts bytes at the places given, in parts of the length. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const at = places.map((place) => Math.floor(place * bytes.length)).sort((a, b) => a - b);
  const edges = [0, ...at, bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

const FRAMINGS = {
  sized: (body: Buffer) => [`Content-Length: ${body.length}\r\n\r\n`, body],
  close: (body: Buffer) => ['\r\n', body],
  chunked: (body: Buffer) => [
    'Transfer-Encoding: Chunked\r\n\r\n',
    ...cut(body, [0.3, 0.31, 0.9]).flatMap((part) =>
      part.length === 0 ? [] : [`${part.length.toString(16)};ext="a"\r\n`, part, '\r\n'],
    ),
    '0\r\nTrailer: x\r\n\r\n',
  ],
} as const;

const headerValue = fc.stringMatching(/^[!-~\u00a1-\u00ff]([ -~]*[!-~])?$/);
const place = fc.double({ min: 0, max: 1, noNaN: true });

describe('reading a response', () => {
  test('gives the same whatever the pieces it comes in', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('sized', 'close', 'chunked'),
        fc.integer({ min: 200, max: 599 }).filter((status) => status !== 204 && status !== 304),
        headerValue,
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
        fc.array(place, { maxLength: 40 }),
        fc.boolean(),
        (framing, status, value, body, places, interim) => {
          const parts = [
            interim ? 'HTTP/1.1 103 Early\r\nlink: a\r\n\r\n' : '',
            `HTTP/1.1 ${status} Some Reason\r\nX-Value:${value} \r\n`,
            ...FRAMINGS[framing](body),
          ];
          const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));
          const { reader, body: kept, state } = read(cut(bytes, places));
          expect(state).toBe('done');
          expect(reader.head).toMatchObject({ status, statusText: 'Some Reason' });
          expect(reader.head?.headers['x-value']).toBe(value);
          expect(kept).toEqual(body);
          expect(reader.bodyBytes).toBe(body.length);
        },
      ),
    );
  });

  test('ends every stream of bytes in one of its states, and never throws', () => {
    const alphabet = ['HTTP/1.1 200 OK\r\n', '\r\n', '\n', ':', ' ', 'a', '0', 'f', '\0', 'ÿ'];
    const pieces = [
      ...alphabet,
      'content-length: 3',
      'transfer-encoding: chunked',
      'HTTP/1.1 100 A',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), place, (texts, at) => {
        const bytes = Buffer.from(`HTTP/1.1 200 OK\r\n${texts.join('')}`, 'latin1');
        const whole = read([bytes]).state;
        expect(read(cut(bytes, [at])).state).toEqual(whole);
        if (whole !== 'done') {
          expect(['PROTOCOL_ERROR', 'CONNECTION_RESET', 'TOO_LARGE']).toContain(
            (whole as { cause: string }).cause,
          );
        }
      }),
      { numRuns: 500 },
    );
  });

  test('joins repeated fields, unfolds old ones and keeps no prototype', () => {
    const { reader } = readText(
      'HTTP/1.1 200 OK\r\nA: 1\r\na:2\r\nB: x\r\n\ty\r\n__proto__: p\r\nEmpty:\r\ncontent-length: 0\r\n\r\n',
    );
    expect(Object.entries(reader.head?.headers ?? {})).toEqual([
      ['a', '1, 2'],
      ['b', 'x y'],
      ['__proto__', 'p'],
      ['empty', ''],
      ['content-length', '0'],
    ]);
  });

  test('keeps no body where none is wanted, and counts it', () => {
    const { reader, body, state } = readText('HTTP/1.1 200 OK\r\n\r\nabc', { keptBytes: 0 });
    expect(state).toBe('done');
    expect(body).toHaveLength(0);
    expect(reader.bodyBytes).toBe(3);
  });

  test('keeps no more of a body than is wanted, and counts the rest', () => {
    const pieces = ['HTTP/1.1 200 OK\r\n\r\nab', 'cd', 'ef'].map((text) => Buffer.from(text));
    const { reader, body, state } = read(pieces, { keptBytes: 3 });
    expect(state).toBe('done');
    expect(body.toString()).toBe('abc');
    expect(reader.bodyBytes).toBe(6);
  });

  test('ends as our own trouble where there is no memory for the body', () => {
    const { state } = readText('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc', { budget: 2 });
    expect(state).toMatchObject({ cause: 'INTERNAL' });
  });

  test.each([
    ['transfer-encoding: chunked\r\ncontent-length: 1\r\n\r\n2\r\nab\r\n0\r\n\r\n', 'ab'],
    ['transfer-encoding: gzip, chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n', 'ab'],
    ['transfer-encoding: identity\r\n\r\nab', 'ab'],
    ['content-length: 2, 2\r\n\r\nab', 'ab'],
    ['content-length: 0\r\n\r\nab', ''],
  ])('takes the length of the body from %j', (rest, body) => {
    const { body: kept, state } = readText(`HTTP/1.1 200 OK\r\n${rest}`);
    expect(state).toBe('done');
    expect(kept.toString()).toBe(body);
  });

  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  test.each([
    ['PROTOCOL_ERROR', 'HTTP/1.1 099 Low\r\n\r\n'],
    ['PROTOCOL_ERROR', 'HTTP/2 200\r\n\r\n'],
    ['PROTOCOL_ERROR', 'HTTQ'],
    ['PROTOCOL_ERROR', 'HTTP/1.1 200 OK\r\n folded onto nothing\r\n\r\n'],
    ['PROTOCOL_ERROR', 'HTTP/1.1 200 OK\r\nspace before : x\r\n\r\n'],
    ['PROTOCOL_ERROR', 'HTTP/1.1 200 OK\r\n: no name\r\n\r\n'],
    ['PROTOCOL_ERROR', 'HTTP/1.1 200 OK\r\ncontent-length: 1e3\r\n\r\n'],
    ['PROTOCOL_ERROR', 'HTTP/1.1 200 OK\r\ncontent-length: 0x10\r\n\r\n'],
    ['PROTOCOL_ERROR', 'HTTP/1.1 100 A\r\n\r\n'.repeat(11)],
    ['PROTOCOL_ERROR', `${chunked}-1\r\n`],
    ['PROTOCOL_ERROR', `${chunked}\r\n`],
    ['PROTOCOL_ERROR', `${chunked}1\r\nab\r\n`],
    ['PROTOCOL_ERROR', `${chunked}fffffffff\r\n`],
    ['PROTOCOL_ERROR', `${chunked}1;${'x'.repeat(5_000)}`],
    ['PROTOCOL_ERROR', `${chunked}0\r\n${'a: b\r\n'.repeat(5_000)}`],
    ['CONNECTION_RESET', `${chunked}0\r\n`],
    ['CONNECTION_RESET', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['TOO_LARGE', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(11_000)}\r\n`],
    ['TOO_LARGE', `HTTP/1.1 200 OK\r\n${' '.repeat(70_000)}`],
    ['TOO_LARGE', `HTTP/1.1 200 OK\r\ncontent-length: ${MAX_BODY_BYTES + 1}\r\n\r\n`],
  ])('ends in %s on %j', (cause, text) => {
    expect(readText(text).state).toMatchObject({ cause });
    const bytes = Buffer.from(text, 'latin1');
    expect(read(cut(bytes, [0.2, 0.5, 0.7])).state).toMatchObject({ cause });
  });

  test.each([['\r\n'], ['transfer-encoding: chunked\r\n\r\n2000000\r\n']])(
    'ends in TOO_LARGE on a body of 25 MB and a byte after %j',
    (rest) => {
      const reader = new ResponseReader('GET', new KeptBody(new BodyBudget(0)), () => 0);
      reader.push(Buffer.from(`HTTP/1.1 200 OK\r\n${rest}`));
      expect(reader.push(Buffer.alloc(MAX_BODY_BYTES))).toBe('more');
      expect(reader.push(Buffer.alloc(1))).toMatchObject({ cause: 'TOO_LARGE' });
    },
  );
});
