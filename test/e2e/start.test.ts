import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openForWriting } from '#main/store/history/database.ts';
import { startProcess, temporaryFolder } from '../fixtures/running-appliance.ts';
import { linesOf, watchpost } from '../fixtures/watchpost-command.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

describe('a start that cannot be ends with code 1 and one line that says why', () => {
  test('where the port is in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const dataDir = join(folder.path, 'port');
    const ended = await watchpost(['serve', '--data-dir', dataDir, '--port', String(port)]);
    holder.close();
    expect(ended.code).toBe(1);
    expect(linesOf(ended.errors)).toEqual([
      `watchpost: Cannot listen on 127.0.0.1 port ${port}: another program is using it; choose another port with WATCHPOST_PORT`,
    ]);
    expect(ended.out).toBe('');
    expect(existsSync(dataDir)).toBe(false);
  });

  test('where another process runs on the data folder, which goes on unharmed', async () => {
    const dataDir = join(folder.path, 'shared');
    const first = await startProcess({ dataDir });
    const second = await watchpost(['serve', '--data-dir', dataDir]);
    expect(second.code).toBe(1);
    expect(linesOf(second.errors)).toEqual([
      `watchpost: The data folder ${dataDir} is in use by process ${first.process.pid}, which answers at ${first.url}: stop it, or choose another folder.`,
    ]);
    // What runs on the folder says more than what has the port.
    const third = await watchpost([
      'serve',
      '--data-dir',
      dataDir,
      '--port',
      new URL(first.url).port,
    ]);
    expect(third.errors).toBe(second.errors);
    expect((await first.call('GET', '/v1/checks')).status).toBe(200);
    expect(await first.stop()).toBe(0);
  });

  test.runIf(process.platform === 'linux')(
    'where the system lets nobody make the data folder, which Node tries for ever',
    async () => {
      const { code, errors } = await watchpost(['serve', '--data-dir', '/proc/x/y']);
      expect(code).toBe(1);
      expect(linesOf(errors)).toEqual([
        'watchpost: The data folder /proc/x/y cannot be written (ENOENT).',
      ]);
    },
  );

  test('where the data folder is a file', async () => {
    const path = join(folder.path, 'file');
    await writeFile(path, 'mine');
    const { code, errors } = await watchpost(['serve', '--data-dir', path]);
    expect(code).toBe(1);
    expect(linesOf(errors)).toHaveLength(1);
    expect(errors).toContain(path);
    expect(await readFile(path, 'utf8')).toBe('mine');
  });

  test.each([
    ['cut short', '{ "version": 1, "records": ['],
    ['of a later version', '{ "version": 99, "records": [] }'],
  ])('where checks.json is %s, and leaves the file as it is', async (what, text) => {
    const dataDir = join(folder.path, `corrupt-${what.replaceAll(' ', '-')}`);
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'checks.json'), text);
    const { code, errors } = await watchpost(['serve', '--data-dir', dataDir]);
    expect(code).toBe(1);
    expect(linesOf(errors)).toHaveLength(1);
    expect(errors).toContain('checks.json');
    expect(await readFile(join(dataDir, 'checks.json'), 'utf8')).toBe(text);
  });

  test('where a setting is wrong, by its name', async () => {
    const { code, errors } = await watchpost(['serve'], { WATCHPOST_PORT: 'eighty' });
    expect(code).toBe(1);
    expect(linesOf(errors)).toEqual([
      'watchpost: WATCHPOST_PORT: expected a whole number from 0 to 65535, got "eighty"',
    ]);
  });
});

test.runIf(process.platform !== 'win32')(
  'a SIGTERM to npm drains what npm start runs, and ends it with code 0',
  async () => {
    const env = {
      ...process.env,
      WATCHPOST_PORT: '0',
      WATCHPOST_DATA_DIR: join(folder.path, 'npm'),
    };
    const npm = spawn('npm', ['start', '--silent'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(createInterface(npm.stdout), 'line')) as [string];
    expect(line).toMatch(/^Watchpost is ready at http:/);
    npm.kill('SIGTERM');
    const [code] = (await once(npm, 'exit')) as [number | null];
    expect(code).toBe(0);
    const url = line.replace('Watchpost is ready at ', '');
    await expect(fetch(`${url}/healthz`)).rejects.toThrow(TypeError);
  },
);

test('keys made and revoked beside a running appliance take effect at once', async () => {
  const dataDir = join(folder.path, 'keys');
  const appliance = await startProcess({ dataDir });
  const made = await watchpost(['keys', 'create', '--name', 'ci', '--data-dir', dataDir]);
  const key = made.out.trim();
  const asked = () =>
    fetch(`${appliance.url}/v1/checks`, { headers: { authorization: `Bearer ${key}` } });
  expect((await asked()).status).toBe(200);
  const listed = await watchpost(['keys', 'list', '--data-dir', dataDir]);
  const id = /^(\S+).*\bci\b/m.exec(listed.out)?.[1] ?? '';
  expect((await watchpost(['keys', 'revoke', id, '--data-dir', dataDir])).code).toBe(0);
  expect((await asked()).status).toBe(401);
  expect(await appliance.stop()).toBe(0);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'after a %s, which npm hands on a second time, only what is kept is left in the folder',
  async (signal) => {
    const dataDir = join(folder.path, `clean-${signal}`);
    const env = { WATCHPOST_LOG: 'info' };
    const { process: running } = await startProcess({ dataDir, env });
    expect(await readdir(dataDir)).toContain('run.json');
    const ended = once(running, 'exit');
    const { promise: stopping, resolve } = Promise.withResolvers<void>();
    running.stderr?.on('data', (text) => String(text).includes('Stopping.') && resolve());
    running.kill(signal);
    await stopping;
    running.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(await readdir(dataDir)).toEqual([
      'account.json',
      'history.db',
      'keys.json',
      'lock.db',
      'secret.key',
    ]);
  },
);

test.each([
  ['that is no JSON', '{"half": '],
  ['that is no object', '5'],
  ['of another shape', '{"lastSlot": "yesterday"}'],
])('a row %s of every table that a start reads costs itself', async (what, broken) => {
  const dataDir = join(folder.path, `broken-${what.replaceAll(' ', '-')}`);
  const first = await startProcess({ dataDir });
  const body = { name: 'a check', activated: false, locations: ['eu-west-1'] };
  const request = { url: 'http://127.0.0.1:9/', method: 'GET' };
  const created = await first.call('POST', '/v1/checks/api', { ...body, request });
  const { id } = (await created.json()) as { id: string };
  expect(await first.stop()).toBe(0);
  const database = openForWriting(dataDir);
  database.exec(`INSERT OR IGNORE INTO checks (id) VALUES ('${id}')`);
  const uuid = Buffer.from('0190000000007000800000000000000a', 'hex');
  for (const sql of [
    `INSERT OR REPLACE INTO states (check_key, actor, status, alert)
     SELECT key, $body, $body, $body FROM checks WHERE $id = $id`,
    'INSERT INTO sessions (id, open, body) VALUES ($id, 1, $body)',
    'INSERT INTO batches (id, body) VALUES ($id, $body)',
    `INSERT INTO test_sessions (id, status, search, branch, body)
     VALUES ($id, 'RUNNING', '', NULL, $body)`,
    `INSERT INTO test_results (session_id, result_id, position, attempt, status, body)
     VALUES ($id, $id, 0, 0, 'RUNNING', $body)`,
    `INSERT INTO notifications (id, owed, channel, status, body)
     VALUES ($id, 1, '1', 'PENDING', $body)`,
    "INSERT INTO channel_states (channel, body) SELECT '1', $body WHERE $id = $id",
  ]) {
    expect(database.prepare(sql).run({ id: uuid, body: broken }).changes).toBe(1);
  }
  database.close();
  const second = await startProcess({ dataDir });
  expect((await second.call('GET', `/v1/checks/${id}`)).status).toBe(200);
  expect((await second.call('GET', '/readyz')).status).toBe(200);
  expect(await second.stop()).toBe(0);
});

test.runIf(process.platform === 'linux')(
  'the threads of an appliance share two arenas of memory',
  async () => {
    const appliance = await startProcess({ dataDir: join(folder.path, 'arenas') });
    const environment = await readFile(`/proc/${appliance.process.pid}/environ`, 'utf8');
    expect(environment.split('\0')).toContain('MALLOC_ARENA_MAX=2');
    expect(await appliance.stop()).toBe(0);
  },
);
