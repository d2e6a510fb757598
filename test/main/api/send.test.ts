import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { send } from '#main/api/http/send.ts';
import { listen } from '#main/api/listen.ts';
import type { Reply } from '#main/api/operation.ts';
import { pageOf } from '#main/api/pagination.ts';

async function sent(reply: () => Reply, init: RequestInit = {}): Promise<Response> {
  const app = express().get('/', (_request, response) => send(response, 200, reply()));
  const { url, close } = await listen(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(close);
  return fetch(url, init);
}

/** Counts the turns of the event loop until the test is over. */
function countTurns(): () => number {
  let turns = 0;
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  void (async () => {
    for (; !isOver; turns++) await nextTurn();
  })();
  return () => turns;
}

function busyFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('others have a turn between items that take long to make; a small answer still comes whole', async () => {
  const turn = countTurns();
  const madeIn: number[] = [];
  const items = Array.from({ length: 10 }, (_, n) => n);
  const answer = await sent(() =>
    pageOf(items, { page: 1, limit: 10 }, (n) => {
      busyFor(5);
      madeIn.push(turn());
      return n;
    }),
  );
  expect(await answer.json()).toEqual(items);
  expect(new Set(madeIn).size).toBe(10);
  expect(answer.headers.get('content-length')).toBe('21');
});

test.each([
  ['small comes as it is, with its length', 4_000, 'gzip', null, '8000'],
  ['large comes compressed', 40_000, 'gzip', 'gzip', null],
  ['large comes as it is to who takes no gzip', 40_000, 'identity', null, '80000'],
])('an answer in parts that is %s', async (_case, length, accepted, encoding, sentLength) => {
  const parts = ['a', 'b'].map((letter) => Buffer.from(letter.repeat(length)));
  const headers = { 'accept-encoding': accepted };
  const answer = await sent(() => ({ content: { parts } }), { headers });
  expect(await answer.text()).toBe('a'.repeat(length) + 'b'.repeat(length));
  expect([answer.headers.get('content-encoding'), answer.headers.get('content-length')]).toEqual([
    encoding,
    sentLength,
  ]);
});

const LINES = Array.from({ length: 20_000 }, (_, n) => `line ${n}\n`);
const text = (pieces: Iterable<string>) => () => ({ content: { pieces, type: 'text/plain' } });

test.each([
  ['gzip', 'gzip'],
  ['identity', null],
])('a long text comes whole to a client that takes %s', async (accepted, encoding) => {
  const answer = await sent(text(LINES), { headers: { 'accept-encoding': accepted } });
  expect(answer.headers.get('content-encoding')).toBe(encoding);
  expect(answer.headers.get('vary')).toBe('accept-encoding');
  expect(await answer.text()).toBe(LINES.join(''));
});

test.each([
  ['gzip', 'text'],
  ['gzip', 'bytes'],
  ['identity', 'text'],
  ['identity', 'bytes'],
])(
  'a client that takes %s and leaves ends the making of an answer in %s',
  async (accepted, kind) => {
    const over = Promise.withResolvers<void>();
    function* endless() {
      try {
        for (;;) yield randomBytes(1_000);
      } finally {
        over.resolve();
      }
    }
    const leave = new AbortController();
    const headers = { 'accept-encoding': accepted };
    const bytes = endless();
    const content =
      kind === 'bytes'
        ? { bytes, type: 'text/plain' }
        : { pieces: bytes.map((piece) => piece.toString('hex')), type: 'text/plain' };
    await sent(() => ({ content }), { headers, signal: leave.signal });
    leave.abort();
    await over.promise;
  },
);
