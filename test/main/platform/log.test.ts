import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog, forPeople, type Log } from '#main/platform/log.ts';
import type { Settings } from '#main/platform/settings/table.ts';

/** What a log writes, as text and as objects. */
function written(write: (log: Log) => void, level: Settings['logLevel'] = 'info') {
  const lines: string[] = [];
  write(createLog(level, { write: (line) => lines.push(line) }));
  return { text: lines.join(''), lines: lines.map((line) => JSON.parse(line)) };
}

test('a line holds a level by name, a time and what was said', () => {
  const { lines } = written((log) => log.warn({ checkId: 'a' }, 'late'));
  expect(lines).toEqual([
    { level: 'warn', time: expect.stringMatching(/^\d{4}-.*Z$/), checkId: 'a', msg: 'late' },
  ]);
});

test.each<[Settings['logLevel'], number]>([
  ['debug', 2],
  ['info', 1],
  ['silent', 0],
])('level %s writes %i of a debug and an error line', (level, count) => {
  const { lines } = written((log) => {
    log.debug('a');
    log.error('b');
  }, level);
  expect(lines).toHaveLength(count);
});

const SECRET = 'hunter2hunter2hunter2';

test.each<[string, (log: Log) => void]>([
  ...[
    'authorization',
    'Cookie',
    'set-cookie',
    'X-API-Key',
    'password',
    'key',
    'token',
    'adminToken',
  ].map((name): [string, (log: Log) => void] => [
    `a member named ${name}`,
    (log) => log.info({ request: { headers: [{ [name]: SECRET }] } }),
  ]),
  ['a top-level member', (log) => log.info({ token: SECRET })],
  ['a whole object under a secret name', (log) => log.info({ password: { old: SECRET } })],
  ['a binding of a child log', (log) => log.child({ token: SECRET }).info('x')],
  ['a member of an error', (log) => log.error(Object.assign(new Error('x'), { token: SECRET }))],
  [
    'a member of an error bound to a child',
    (log) => log.child({ err: Object.assign(new Error('x'), { token: SECRET }) }).info('x'),
  ],
  ['a bearer token in a text', (log) => log.info(`sent Bearer ${SECRET}`)],
  ['a key of ours in a text', (log) => log.info({ url: `/x?k=wp_${SECRET}` })],
  [
    'the token of a trigger URL',
    (log) =>
      log.error({ path: `/checks/a/TRIGGER/${SECRET}` }, `/check-groups/1/trigger/${SECRET}?a=1`),
  ],
  ['the token of a ping URL', (log) => log.info({ url: `http://h/ping/${SECRET}?a=1` })],
])('%s is not written', (_case, write) => {
  const { text, lines } = written(write);
  expect(lines).toHaveLength(1);
  expect(text).not.toContain(SECRET);
  expect(text).toContain('***');
});

test('for people, a line is one line, with its time and what belongs to it', async () => {
  const terminal = new PassThrough({ encoding: 'utf8' });
  createLog('info', forPeople(terminal)).warn({ checkId: 'a', n: 1 }, '"Shop" is failing: down');
  expect(terminal.read()).toMatch(
    /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] WARN: "Shop" is failing: down \{"checkId":"a","n":1\}\n$/,
  );
});

test('an error keeps its message, stack and members that are no secret', () => {
  const { lines } = written((log) => log.error(Object.assign(new Error('boom'), { code: 'E1' })));
  expect(lines[0].err).toMatchObject({ message: 'boom', code: 'E1' });
  expect(lines[0].err.stack).toContain('log.test.ts');
});

test('a ring of objects ends, and what is logged is left as it was', () => {
  const ring: Record<string, unknown> = { token: SECRET };
  ring.self = ring;
  expect(written((log) => log.info(ring)).lines).toHaveLength(1);
  expect(ring.token).toBe(SECRET);
});
