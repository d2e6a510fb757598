import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { OPERATIONS } from '#main/api/operations.ts';
import { temporaryFolder } from '../fixtures/running-appliance.ts';
import { compare } from './compare.ts';
import { Normaliser, withoutDescriptions } from './normaliser.ts';
import { record } from './recording.ts';
import { Renames } from './renames.ts';

const OURS = fileURLToPath(new URL('../../', import.meta.url));
const folder = await temporaryFolder();
afterAll(() => folder.remove());

/** There are no SSL checks, so that it refuses every other one. */
const NEVER_GOOD = ['GET /v1/analytics/ssl/{id}'];

test('a recording has a good answer of every operation that can have one', async () => {
  const renames = new Renames();
  const recorded = await record({ checkout: OURS, renames }, join(folder.path, 'whole'));
  expect(recorded.missing).toEqual(NEVER_GOOD);
  const internal = OPERATIONS.filter(({ internal }) => internal).map(
    ({ method, path }) => `${method.toUpperCase()} ${path}`,
  );
  const isAnswered = (name: string) =>
    recorded.driver.statuses
      .get(name)
      ?.values()
      .some((status) => status < 400) ?? false;
  expect(internal.filter((name) => !isAnswered(name))).toEqual([]);
});

const NOW = Date.parse('2026-01-15T12:00:00.000Z');
const ONE = '0b8f5c1e-6f0a-4e63-9d65-7d3a1c2b4f10';
const OTHER = '1b8f5c1e-6f0a-4e63-9d65-7d3a1c2b4f10';

test.each<[string, unknown, unknown]>([
  [
    'a UUID keeps its identity, in any case and inside of a text',
    [ONE, OTHER, `${ONE.toUpperCase()} of ${OTHER}`],
    ['<uuid-1>', '<uuid-2>', '<uuid-1> of <uuid-2>'],
  ],
  ['an id that the session chose stays', `00000000${ONE.slice(8)}`, `00000000${ONE.slice(8)}`],
  [
    'a time of these days',
    ['2026-01-15T11:59:00.123Z', NOW - 5, NOW / 1_000],
    ['<time>', '<epoch ms>', '<epoch s>'],
  ],
  ['another form of a time shows', '2026-01-15T11:59:00Z', '<time as 0000-00-00T00:00:00Z>'],
  ['a time far from now stays', '2045-01-15T11:59:00.123Z', '2045-01-15T11:59:00.123Z'],
  ['a time for people', 'since 2026-01-15 12:00:00 UTC', 'since <time in words>'],
  [
    'what is measured',
    { responseTime: 7, timings: { dns: 1 } },
    { responseTime: '<number>', timings: { dns: '<number>' } },
  ],
  [
    'a limit stays',
    { maxResponseTime: 7, responseTime: null },
    { maxResponseTime: 7, responseTime: null },
  ],
  [
    'a span in a text',
    'HTTP 200 in 12 ms, lookup 0.31 ms',
    'HTTP 200 in <number> ms, lookup <number> ms',
  ],
  [
    'a token, also inside of a text',
    [{ token: 'abc-123' }, '/x/abc-123'],
    [{ token: '<token-1>' }, '/x/<token-1>'],
  ],
  [
    'a port that has a name',
    ['http://127.0.0.1:40123/', 40_123, 40_124],
    ['http://127.0.0.1:<port of it>/', '<port of it>', 40_124],
  ],
  ['what is encrypted', { value: { $secret: 'x' } }, { value: '<encrypted>' }],
])('normalised: %s', (_, value, expected) => {
  const normaliser = new Normaliser(NOW);
  normaliser.namePort(40_123, 'it');
  expect(normaliser.json(value)).toEqual(expected);
});

test('only words are left out of a document, and no member of that name', () => {
  const properties = { description: { type: 'string', description: 'words' } };
  expect(withoutDescriptions({ summary: 'words', properties })).toEqual({
    properties: { description: { type: 'string' } },
  });
});

test('recordings are compared byte for byte, the expected renames apart', async () => {
  const [old, next] = ['old', 'new'].map((name) => join(folder.path, name)) as [string, string];
  mkdirSync(old);
  writeFileSync(join(old, 'session.txt'), 'GET /app/sight\n200\n');
  cpSync(old, next, { recursive: true });
  expect(await compare(old, next, new Renames())).toBe('');
  writeFileSync(join(next, 'session.txt'), 'GET /app/canaries\n200\n');
  const renames = new Renames({ '/app/sight': '/app/canaries' });
  expect(await compare(old, next, renames)).toBe('');
  expect(await compare(old, next, new Renames())).toContain(
    '-GET /app/sight\n+GET /app/canaries\n',
  );
  writeFileSync(join(next, 'more.txt'), 'more\n');
  expect(await compare(old, next, renames)).toContain('+++ new/more.txt\n@@ -0,0 +1 @@\n+more\n');
});
