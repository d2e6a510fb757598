import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const BIN = fileURLToPath(new URL('../../bin/watchpost.js', import.meta.url));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchpost-bin-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Ended {
  code: number;
  out: string;
  err: string;
}

function run(bin: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [bin, ...args],
      { env: { ...process.env, WATCHPOST_DATA_DIR: join(folder, 'data'), ...env } },
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

test('--version is that of package.json', async () => {
  const { code, out } = await run(BIN, ['--version']);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

test('wrong settings end the start with a line each, before anything is made', async () => {
  const ended = await run(BIN, ['serve', '--port', 'x'], { WATCHPOST_LOG: 'loud' });
  expect(ended).toEqual({
    code: 1,
    out: '',
    err:
      'watchpost: --port: expected a whole number from 0 to 65535, got "x"\n' +
      'watchpost: WATCHPOST_LOG: expected one of trace, debug, info, warn, error, fatal, silent, got "loud"\n',
  });
});

test('a data folder that is not there is one line of keys too', async () => {
  const { code, err } = await run(BIN, ['keys', 'list']);
  expect(code).toBe(1);
  expect(err).toMatch(/^watchpost: .*data is not there: start Watchpost once.*\n$/);
});

describe('in a project of its own', () => {
  /** A copy of the command beside a program that stands for Node and one for the appliance. */
  function projectWith(node: string): string {
    const nodeFolder = join(folder, 'node_modules/node/bin');
    mkdirSync(join(folder, 'bin'));
    mkdirSync(nodeFolder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(nodeFolder, 'node'), node);
    chmodSync(join(nodeFolder, 'node'), 0o755);
    cpSync(BIN, join(folder, 'bin/watchpost.js'));
    return join(folder, 'bin/watchpost.js');
  }

  test('the Node of its packages runs it, with its arguments; its exit code is passed on', async () => {
    const bin = projectWith('#!/bin/sh\necho "$@"\nexit 7\n');
    const { code, out } = await run(bin, ['serve', '--port', '1']);
    expect(code).toBe(7);
    expect(out).toMatch(/main\/start\.js serve --port 1\n$/);
  });

  test('a signal reaches the appliance', async () => {
    const bin = projectWith(
      '#!/bin/sh\ntrap "exit 9" TERM\necho up\nwhile :; do sleep 0.05; done\n',
    );
    const child = spawn(process.execPath, [bin], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(9);
  });

  test('death by a signal is passed on as one', async () => {
    const bin = projectWith('#!/bin/sh\nkill -KILL $$\n');
    const child = spawn(process.execPath, [bin], { stdio: 'ignore' });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  });

  test('without its packages it says what to do', async () => {
    const bin = projectWith('');
    rmSync(join(folder, 'node_modules'), { recursive: true });
    const { code, err } = await run(bin, []);
    expect(code).toBe(1);
    expect(err).toContain('its packages are not installed; run npm ci in');
  });
});
