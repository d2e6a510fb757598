import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findScriptLauncher } from '#main/monitoring/script-launcher.ts';
import { startServer } from '../../fixtures/net/servers.ts';

/** A folder with an `unshare` of these lines in it. */
async function folderWith(lines: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'watchpost-launcher-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'unshare'), `#!/bin/sh\n${lines}\n`, { mode: 0o700 });
  return folder;
}

describe.skipIf(process.platform === 'win32')('the launcher of script hosts', () => {
  test('is the first way that works', async () => {
    const root = await folderWith(`shift 2; exec "$@"`);
    expect(await findScriptLauncher(root, 'linux')).toEqual([join(root, 'unshare'), '-n', '--']);
    const user = await folderWith(`[ "$1" = -U ] || exit 1; shift 3; exec "$@"`);
    expect(await findScriptLauncher(user, 'linux')).toEqual([
      join(user, 'unshare'),
      '-U',
      '-n',
      '--',
    ]);
  });

  test('is none where it is forbidden, where there is no such program, and on other systems', async () => {
    const forbidden = await folderWith(`exit 1`);
    expect(await findScriptLauncher(forbidden, 'linux')).toEqual([]);
    expect(await findScriptLauncher('/nowhere', 'linux')).toEqual([]);
    expect(await findScriptLauncher('', 'linux')).toEqual([]);
    expect(await findScriptLauncher(await folderWith(`shift 2; exec "$@"`), 'darwin')).toEqual([]);
  });
});

const [program, ...options] = await findScriptLauncher();

test.skipIf(program === undefined)(
  'what it starts reaches nothing, not even this machine',
  async () => {
    await using server = await startServer(() => undefined);
    const connect = (port: number) =>
      `require('net').connect(${port}, '127.0.0.1').on('error', (e) => console.log(e.code))`;
    const args = [...options, process.execPath, '-e', connect(server.port)];
    const { stdout } = spawnSync(program ?? '', args, { encoding: 'utf8' });
    expect(stdout.trim()).toBe('ENETUNREACH');
    expect(server.connections).toBe(0);
  },
);
