import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadline } from '#workers/net/deadline.ts';
import { startMarks } from '#workers/net/dial.ts';
import { QUIET_MS, tcpExchange } from '#workers/net/tcp-exchange.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('what arrived while this process stood still belongs to the reply', async () => {
  const socket = new Socket();
  const exchanged = tcpExchange(socket, null, new Deadline(10_000), startMarks(), 'a peer');
  socket.emit('data', Buffer.from('first '));
  // Timers come first after a standstill, and what arrived meanwhile right behind them.
  vi.advanceTimersByTime(QUIET_MS);
  socket.emit('data', Buffer.from('second'));
  vi.advanceTimersByTime(QUIET_MS);
  expect(await exchanged).toEqual({ reply: Buffer.from('first second') });
});

test('a peer that never stops runs out of time, however little it says', async () => {
  const socket = new Socket();
  const exchanged = tcpExchange(socket, null, new Deadline(10_000), startMarks(), 'a peer');
  for (let ms = 0; ms < 10_000; ms += QUIET_MS - 1) {
    socket.emit('data', Buffer.from('.'));
    vi.advanceTimersByTime(QUIET_MS - 1);
  }
  expect(await exchanged).toMatchObject({ failure: { cause: 'TIMEOUT_DOWNLOAD' } });
});
