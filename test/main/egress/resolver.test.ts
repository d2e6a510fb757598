import { afterEach, expect, test } from 'vitest';
import { systemResolver } from '#main/egress/resolver.ts';

const resolve = systemResolver();
const never = new AbortController().signal;
const stopped = new AbortController();
afterEach(() => stopped.abort());

test.each([
  ['127.0.0.1', ['127.0.0.1']],
  ['::1', ['::1']],
  ['localhost', ['127.0.0.1', '::1']],
  ['any.localhost', ['127.0.0.1', '::1']],
])('%s needs nobody to be asked', async (host, addresses) => {
  expect(await resolve(host, never)).toEqual(addresses);
});

test('a search for a name ends when it is stopped', async () => {
  const search = resolve('never-answered.invalid', AbortSignal.abort());
  const ended = await Promise.allSettled([search]);
  // Stopped, or answered before that could be: it has ended either way.
  expect(ended).toHaveLength(1);
});
