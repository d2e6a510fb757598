import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { SETTING_NAMES, SETTINGS } from '#main/platform/settings/table.ts';
import { chromiumOfMachine } from '../fixtures/browser.ts';
import { startProcess, temporaryFolder } from '../fixtures/running-appliance.ts';
import { watchpost } from '../fixtures/watchpost-command.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let chromium = '';
beforeEach(async () => {
  folder = await temporaryFolder();
  chromium = (await chromiumOfMachine()).path;
});
afterEach(() => folder.remove());

const answer = z.object({
  problems: z.number(),
  warnings: z.number(),
  findings: z.array(
    z.object({
      level: z.enum(['ok', 'warning', 'problem']),
      subject: z.string(),
      text: z.string(),
      advice: z.string().nullable(),
    }),
  ),
});

async function doctor(env: Record<string, string>, ...args: string[]) {
  // The tests' own settings have former names, of which it would warn.
  const current = { WATCHPOST_CANARY_GATEWAY: '', WATCHPOST_CANARY_RESOLVERS: '' };
  const places = { WATCHPOST_CHROMIUM: chromium, WATCHPOST_DATA_DIR: folder.path };
  const given = { ...current, ...places, ...env };
  const { code, out, errors } = await watchpost(['doctor', '--json', ...args], given);
  const told = answer.parse(JSON.parse(out));
  const levelOf = (subject: string) => told.findings.find((one) => one.subject === subject);
  return { code, out, errors, told, levelOf };
}

test('all that a start needs is looked at, nothing is made, and a healthy machine has no problem', async () => {
  const dataDir = join(folder.path, 'not-there');
  const { code, told, levelOf } = await doctor({ WATCHPOST_DATA_DIR: dataDir });
  expect(told.findings.filter(({ level }) => level === 'problem')).toEqual([]);
  expect(code).toBe(0);
  expect([...new Set(told.findings.map(({ subject }) => subject))]).toEqual([
    'Node',
    'data folder',
    'disk',
    'port',
    'Chromium',
    'ffmpeg',
    'bubblewrap',
    'temporary folder',
    'setup and teardown scripts',
    'ping',
    'machine',
    'clock',
    'mail',
  ]);
  expect(levelOf('Chromium')?.text).toContain(`named by WATCHPOST_CHROMIUM (${chromium}).`);
  expect(existsSync(dataDir)).toBe(false);
  for (const { level, advice } of told.findings) expect(advice === null).toBe(level === 'ok');
});

test('beside a running appliance it says so, and the port is no problem', async () => {
  const appliance = await startProcess({ dataDir: folder.path });
  const { port } = new URL(appliance.url);
  const { told, levelOf } = await doctor({ WATCHPOST_PORT: port });
  const { code, out } = await watchpost(['doctor'], { WATCHPOST_DATA_DIR: folder.path });
  await appliance.kill();
  expect(levelOf('data folder')?.text).toContain(`process ${appliance.process.pid}`);
  expect(levelOf('port')?.text).toBe(
    `The appliance of this data folder answers at ${appliance.url}.`,
  );
  expect(told.problems).toBe(0);
  expect(code).toBe(0);
  expect(out).toMatch(/^ok {7}Node: v24/);
});

test('what is wrong is a problem with what to do, and the exit code is 1', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await writeFile(join(folder.path, 'file'), '');
  const wrong = await doctor({
    WATCHPOST_DATA_DIR: join(folder.path, 'file'),
    WATCHPOST_PORT: String(port),
    WATCHPOST_CHROMIUM: join(folder.path, 'none'),
  });
  server.close();
  expect(wrong.code).toBe(1);
  const problems = wrong.told.findings.filter(({ level }) => level === 'problem');
  expect(problems.map(({ subject }) => subject)).toEqual(['data folder', 'port', 'Chromium']);
  expect(wrong.levelOf('port')?.text).toContain('is in use by');
});

test.skipIf(process.platform === 'win32')(
  'a Chromium that does not start is told in its words',
  async () => {
    const broken = join(folder.path, 'chromium');
    const text =
      '#!/bin/sh\necho "$0: error while loading shared libraries: libnss3.so" >&2; exit 127\n';
    await writeFile(broken, text, { mode: 0o755 });
    const { code, levelOf } = await doctor({ WATCHPOST_CHROMIUM: broken });
    expect(code).toBe(1);
    expect(levelOf('Chromium')).toMatchObject({
      level: 'problem',
      text: expect.stringContaining('error while loading shared libraries: libnss3.so'),
    });
  },
);

test('a wrong setting is a problem, each', async () => {
  const { code, told } = await doctor({ WATCHPOST_PORT: 'x', WATCHPOST_LOG: 'loud' });
  expect(code).toBe(1);
  expect(told.findings.map(({ subject, level }) => [subject, level])).toEqual([
    ['Node', 'ok'],
    ['settings', 'problem'],
    ['settings', 'problem'],
  ]);
});

test('no secret is told, wherever it comes from', async () => {
  const secrets = SETTING_NAMES.filter((name) => SETTINGS[name].secret);
  expect(secrets).toContain('smtpPassword');
  const value = (name: string) => `a=secret-of-${name}-0123456789`;
  const env = Object.fromEntries(secrets.map((name) => [SETTINGS[name].env, value(name)]));
  await mkdir(folder.path, { recursive: true });
  const file = { smtpPassword: value('file'), smtpHost: 'mail.example.com' };
  await writeFile(join(folder.path, 'config.json'), JSON.stringify(file));
  const { code, out, errors, levelOf } = await doctor(env);
  expect(code).toBe(0);
  expect(levelOf('mail')?.text).toBe('Mail goes through mail.example.com:587.');
  for (const one of [...secrets, 'file']) expect(out + errors).not.toContain(`secret-of-${one}`);
  expect(readdirSync(folder.path)).toEqual(['config.json']);
});

const canOwn = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;

test.skipIf(!canOwn)('a folder that the user may not write is a problem', async () => {
  await chmod(folder.path, 0o755);
  const { findings } = answer.parse(
    JSON.parse(
      spawnSync(
        'setpriv',
        [
          '--reuid=65534',
          '--regid=65534',
          '--clear-groups',
          process.execPath,
          '--disable-warning=ExperimentalWarning',
          'main/start.js',
          ...['doctor', '--json', '--data-dir', folder.path, '--port', '0', '--chromium', '/none'],
        ],
        { encoding: 'utf8', env: { PATH: process.env.PATH ?? '' } },
      ).stdout,
    ),
  );
  expect(findings.find(({ subject }) => subject === 'data folder')).toMatchObject({
    level: 'problem',
    text: `${folder.path} cannot be written (EACCES).`,
  });
});
