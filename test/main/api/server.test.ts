import { Agent, createServer, get, type IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import express from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '#main/api/listen.ts';
import { createMutex } from '#main/platform/mutex.ts';
import { StartupError } from '#main/platform/startup-error.ts';

test('port 0 picks a free port, which the URL names', async () => {
  const app = express().get('/', (_request, response) => void response.send('here'));
  const { url, close } = await listen(app, { host: '127.0.0.1', port: 0 });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(url)).text()).toBe('here');
  await close();
});

test('a connection without a request stays open for longer than the appliance may stand still', async () => {
  const app = express().get('/', (_request, response) => void response.send('here'));
  const { url, close } = await listen(app, { host: '127.0.0.1', port: 0 });
  expect((await fetch(url)).headers.get('keep-alive')).toBe('timeout=20');
  await close();
});

test('an IPv6 host stands in brackets', async () => {
  const { url, close } = await listen(express(), { host: '::1', port: 0 });
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  await close();
});

test('a port in use stops the start with one clear line', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const error = await listen(express(), { host: '127.0.0.1', port }).catch(
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(StartupError);
  expect((error as Error).message).toBe(
    `Cannot listen on 127.0.0.1 port ${port}: another program is using it; choose another port with WATCHPOST_PORT`,
  );
  other.close();
});

test('an address that is not ours stops the start', async () => {
  const error = listen(express(), { host: '192.0.2.1', port: 0 });
  await expect(error).rejects.toThrow(
    /^Cannot listen on 192\.0\.2\.1 port 0: this machine does not/,
  );
});

test('a close waits for the answer that is under way', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
  const app = express().get('/', async (_request, response) => {
    arrive();
    await allowed;
    response.send('whole');
  });
  const { url, close } = await listen(app, { host: '127.0.0.1', port: 0 });
  const answer = fetch(url);
  await arrived;
  const closed = close();
  allow();
  expect(await (await answer).text()).toBe('whole');
  await closed;
  await expect(fetch(url)).rejects.toThrow();
});

test('a close ends a connection that is answered after it, however long its client would keep it', async () => {
  const closed = Promise.withResolvers<void>();
  const app = express().get('/', async (_request, response) => {
    closed.resolve(close());
    await nextTurn();
    response.send('whole');
  });
  const { url, close } = await listen(app, { host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const cut = vi.spyOn(Server.prototype, 'closeAllConnections');
  onTestFinished(() => cut.mockRestore());
  const { promise: answer, resolve } = Promise.withResolvers<IncomingMessage>();
  get(url, { agent }, resolve);
  (await answer).resume();
  await closed.promise;
  expect(cut).not.toHaveBeenCalled();
});

test('tasks of one key run in order, others beside them, and a failure stops nothing', async () => {
  const mutex = createMutex();
  const log: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = mutex('a', async () => {
    await held;
    log.push('a1');
    throw new Error('failed');
  });
  const second = mutex('a', async () => log.push('a2'));
  await mutex('b', async () => log.push('b'));
  release();
  await expect(first).rejects.toThrow('failed');
  await second;
  expect(log).toEqual(['b', 'a1', 'a2']);
});

test('a task of several keys waits for all of them, and those behind it for the task', async () => {
  const mutex = createMutex();
  const log: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const tasks = [
    mutex('a', () => held.then(() => log.push('a'))),
    mutex('b', async () => log.push('b')),
    mutex(['a', 'b'], async () => log.push('both')),
    mutex(['b', 'a', 'c'], async () => log.push('all')),
    mutex('b', async () => log.push('b again')),
    mutex('d', async () => log.push('d')),
  ];
  await tasks[5];
  release();
  await Promise.all(tasks);
  expect(log).toEqual(['b', 'd', 'a', 'both', 'all', 'b again']);
});
