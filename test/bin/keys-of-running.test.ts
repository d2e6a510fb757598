import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';

const BIN = fileURLToPath(new URL('../../bin/watchpost.js', import.meta.url));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let appliance: RunningAppliance;
beforeEach(async () => {
  folder = await temporaryFolder();
  appliance = await startProcess({ dataDir: folder.path });
});
afterEach(async () => {
  await appliance.kill();
  await folder.remove();
});

async function keys(...args: string[]): Promise<string> {
  const command = [BIN, 'keys', ...args, '--data-dir', folder.path];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  return stdout.trimEnd();
}

async function statusWith(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${appliance.url}/v1/checks`, { headers })).status;
}

test('a key works from its making to its revocation, and its list outlives kill -9', async () => {
  const key = await keys('create', '--name', 'of the test');
  expect(await statusWith(key)).toBe(200);

  const [id = ''] = /^\S+(?=.*"of the test"$)/m.exec(await keys('list')) ?? [];
  await keys('revoke', id);
  expect(await statusWith(key)).toBe(401);

  const listed = await keys('list');
  await appliance.kill();
  expect(await keys('list')).toBe(listed);
});
