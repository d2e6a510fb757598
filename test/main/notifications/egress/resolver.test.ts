import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemResolver } from '#main/notifications/egress/resolver.ts';
import { startNameServer, type TestNameServer } from '../../../fixtures/dns/server.ts';

let server: TestNameServer;
beforeAll(async () => {
  server = await startNameServer({
    // Each query is answered with all of them, and takes those of its own type.
    'both.test': {
      kind: 'answer',
      answers: [
        { type: 'A', name: 'both.test', data: '93.184.216.34' },
        { type: 'AAAA', name: 'both.test', data: '2606:2800::1' },
      ],
    },
    'half.test': {
      kind: 'answer',
      answers: [{ type: 'A', name: 'half.test', data: '10.0.0.1' }],
    },
    'refused.test': { kind: 'code', status: 5 },
    'silent.test': { kind: 'drop' },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const resolve = (host: string, signal = AbortSignal.timeout(10_000)) =>
  systemResolver([`127.0.0.1:${server.port}`])(host, signal);

test.each([
  ['127.0.0.1', ['127.0.0.1']],
  ['::1', ['::1']],
  ['localhost', ['127.0.0.1', '::1']],
  ['any.localhost', ['127.0.0.1', '::1']],
])('%s needs nobody to be asked', async (host, addresses) => {
  const asked = server.queries.length;
  expect(await resolve(host)).toEqual(addresses);
  expect(server.queries).toHaveLength(asked);
});

test('a name has the addresses of both families', async () => {
  expect(await resolve('both.test')).toEqual(['93.184.216.34', '2606:2800::1']);
});

test('one family that has none does not hide the other', async () => {
  expect(await resolve('half.test')).toEqual(['10.0.0.1']);
});

test('servers that refuse are a failure, not a name without addresses', async () => {
  await expect(resolve('refused.test')).rejects.toMatchObject({ code: 'EREFUSED' });
});

test('a search ends when it is stopped', async () => {
  const stop = new AbortController();
  const search = resolve('silent.test', stop.signal);
  stop.abort();
  await expect(search).rejects.toMatchObject({ code: 'ECANCELLED' });
});
