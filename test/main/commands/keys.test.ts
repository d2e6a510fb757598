import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CommandError } from '#main/commands/command-error.ts';
import { keysOfFolder } from '#main/commands/folder-keys.ts';
import type { KeyStore } from '#main/commands/keys.ts';
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from '#main/commands/keys.ts';
import { keysOfRunning } from '#main/commands/running-keys.ts';
import { StartupError } from '#main/platform/startup-error.ts';
import { createKey } from '#main/services/keys.ts';
import { openDataFolder } from '#main/store/data-folder.ts';
import { startKeysServer } from '../../fixtures/keys-server.ts';

const TOKEN = 'admin-token-of-the-test';
let dataDir = '';
let server: Awaited<ReturnType<typeof startKeysServer>>;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'watchpost-keys-'));
  server = await startKeysServer(TOKEN);
});
afterEach(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true });
});

const leaveRunFile = (content: object | string) =>
  writeFileSync(
    join(dataDir, 'run.json'),
    typeof content === 'string' ? content : JSON.stringify({ pid: process.pid, ...content }),
  );

function collected() {
  const answers: string[] = [];
  const notes: string[] = [];
  const answer = (line: string) => void answers.push(line);
  const note = (line: string) => void notes.push(line);
  return { answers, notes, answer, note };
}

async function running(): Promise<KeyStore> {
  leaveRunFile({ url: server.url, adminToken: TOKEN });
  const keeper = await keysOfRunning(dataDir);
  if (keeper === null) throw new Error('The server does not answer.');
  return keeper;
}

describe.each<[string, () => Promise<KeyStore>]>([
  ['a running appliance', running],
  ['a data folder', () => keysOfFolder(dataDir)],
])('the keys of %s', (_name, open) => {
  test('a key is made, listed without itself, and revoked', async () => {
    await using keeper = await open();
    const made = collected();
    await createKeyCommand(keeper, 'ci', made);
    expect(made.answers).toEqual([expect.stringMatching(/^wp_[\w-]{43}$/)]);
    const [key = ''] = made.answers;
    const [{ id } = { id: '' }] = await keeper.list();
    expect(made.notes).toEqual([`The key "ci" has the id ${id}. It is shown only this once.`]);

    const listed = collected();
    await listKeysCommand(keeper, listed);
    expect(listed.answers).toHaveLength(1);
    expect(listed.answers[0]).toMatch(new RegExp(`^${id}  ${key.slice(0, 8)}…  \\d{4}-.*  "ci"$`));
    expect(listed.answers[0]).not.toContain(key);

    const revoked = collected();
    await revokeKeyCommand(keeper, id, revoked);
    expect(revoked.notes).toEqual([`The key ${id} is revoked.`]);
    expect(await keeper.list()).toEqual([]);
  });

  test('an id that no key has is refused', async () => {
    await using keeper = await open();
    const revoke = revokeKeyCommand(keeper, 'no-such-id', collected());
    await expect(revoke).rejects.toThrow(new CommandError('no key has the id "no-such-id"'));
  });

  test('no keys at all are said to be none', async () => {
    await using keeper = await open();
    const out = collected();
    await listKeysCommand(keeper, out);
    expect(out).toMatchObject({ answers: [], notes: ['There are no keys.'] });
  });
});

test('what the running appliance refuses is told in its words', async () => {
  await using keeper = await running();
  await expect(keeper.create('one too many')).rejects.toThrow(
    new CommandError('Watchpost refused (409): There are 500 keys'),
  );
});

test('a data folder takes no more keys than the running appliance', async () => {
  const records = Array.from({ length: 500 }, () => createKey('many', Date.now()).record);
  writeFileSync(join(dataDir, 'keys.json'), JSON.stringify({ version: 1, records }));
  await using keeper = await keysOfFolder(dataDir);
  await expect(keeper.create('one too many')).rejects.toThrow('There are 500 keys');
});

test('a key made in the data folder is kept there', async () => {
  const kept = await (async () => {
    await using keeper = await keysOfFolder(dataDir);
    return await keeper.create('kept');
  })();
  await using keeper = await keysOfFolder(dataDir);
  expect((await keeper.list()).map(({ id, name }) => [id, name])).toEqual([[kept.id, 'kept']]);
});

test('a folder in use is left alone', async () => {
  const folder = await openDataFolder(dataDir);
  try {
    await expect(keysOfFolder(dataDir)).rejects.toThrow(StartupError);
  } finally {
    folder.release();
  }
});

test('a folder that is not there is not made', async () => {
  const missing = join(dataDir, 'mistyped');
  await expect(keysOfFolder(missing)).rejects.toThrow(
    new CommandError(`${missing} is not there: start Watchpost once, or name its folder`),
  );
});

describe('no appliance runs', () => {
  test('without a run.json', async () => {
    expect(await keysOfRunning(dataDir)).toBeNull();
    expect(await keysOfRunning(join(dataDir, 'not-there'))).toBeNull();
  });

  test('where nobody listens any more', async () => {
    leaveRunFile({ url: server.url, adminToken: TOKEN });
    await server.close();
    expect(await keysOfRunning(dataDir)).toBeNull();
    server = await startKeysServer(TOKEN);
  });

  test('where another program listens now', async () => {
    leaveRunFile({ url: server.url, adminToken: 'the token of an earlier run' });
    expect(await keysOfRunning(dataDir)).toBeNull();
  });

  test.each(['', '{"pid":1', '{"pid":1}', '[]'])('where run.json holds %j', async (text) => {
    leaveRunFile(text);
    expect(await keysOfRunning(dataDir)).toBeNull();
  });
});
