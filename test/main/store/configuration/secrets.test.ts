import {
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StartupError } from '#main/platform/startup-error.ts';
import {
  DecryptionError,
  decrypt,
  decryptAll,
  encrypt,
} from '#main/store/configuration/encryption.ts';
import { openConfiguration } from '#main/store/configuration/open-configuration.ts';
import type { CheckOf } from '#shared/checks/check.ts';
import { makeCheck } from '../../../fixtures/checks.ts';
import { makeGroup } from '../../../fixtures/groups.ts';
import { RecordingLog } from '../recording-log.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const log = new RecordingLog();
const open = (folder: string) => openConfiguration(folder, { log });
const SECRETS = [
  'hush-trigger',
  'hush-account',
  'hush-check',
  'hush-password',
  'hush-header',
  'hush-query',
];

const variable = (value: string, flags: object) => ({
  key: 'K',
  value,
  locked: false,
  secret: false,
  ...flags,
});

function checkWithSecrets(): CheckOf<'API'> {
  return makeCheck('API', {
    environmentVariables: [
      variable('hush-check', { secret: true }),
      variable('shown-check', {}),
      { key: 'EMPTY', value: null, locked: false, secret: true },
    ],
    request: {
      method: 'GET',
      url: 'http://127.0.0.1:9/',
      basicAuth: { username: 'shown-user', password: 'hush-password' },
      headers: [
        { key: 'authorization', value: 'hush-header', locked: true },
        { key: 'accept', value: 'shown-header', locked: false },
      ],
      queryParameters: [{ key: 'token', value: 'hush-query', locked: true }],
    },
  } as never);
}

const trigger = {
  id: '1',
  token: 'hush-trigger',
  target: { groupId: 1 },
  created_at: '2026-01-01T00:00:00.000Z',
  called_at: null,
};

const heartbeat = makeCheck('HEARTBEAT');
const pingToken = heartbeat.heartbeat.pingToken ?? '';

/** A folder whose files hold secrets, closed again. */
async function folderWithSecrets() {
  const folder = temporaryFolder();
  const check = checkWithSecrets();
  const { checks, variables, triggers, close } = await open(folder);
  await checks.put(check);
  await variables.put({ id: 'v', ...variable('hush-account', { secret: true }) });
  await variables.put({ id: 'w', ...variable('shown-account', {}) });
  await triggers.put(trigger);
  await close();
  return { folder, check };
}

const bytesOf = (folder: string) =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');

async function startError(folder: string): Promise<string> {
  const error = await open(folder).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartupError);
  expect((error as Error).message).not.toContain('\n');
  return (error as Error).message;
}

test('no secret stands in any file, and all are there again after a start', async () => {
  const { folder, check } = await folderWithSecrets();
  const bytes = bytesOf(folder);
  for (const secret of SECRETS) {
    expect(bytes).not.toContain(secret);
    expect(bytes).not.toContain(Buffer.from(secret).toString('base64url').slice(0, -1));
  }
  for (const shown of ['check', 'user', 'header', 'account']) {
    expect(bytes).toContain(`shown-${shown}`);
  }
  const { checks, variables, triggers, close } = await open(folder);
  expect(checks.all()).toEqual([check]);
  expect(triggers.all()).toEqual([trigger]);
  expect(variables.all().map(({ value }) => value)).toEqual(['hush-account', 'shown-account']);
  await close();
});

test('no secret of a group stands in its file, and all are there again after a start', async () => {
  const folder = temporaryFolder();
  const { environmentVariables, request } = checkWithSecrets();
  const group = makeGroup('v2', { environmentVariables, apiCheckDefaults: request });
  const before = await open(folder);
  await before.groups.put(group);
  await before.close();
  const file = readFileSync(join(folder, 'check-groups.json'), 'utf8');
  expect(file).not.toContain('hush-');
  for (const shown of ['check', 'user', 'header']) expect(file).toContain(`shown-${shown}`);
  const { groups, close } = await open(folder);
  expect(groups.get('1')).toEqual(group);
  await close();
});

test('the token of a ping URL is encrypted, also one from before that was plain', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'checks.json');
  writeFileSync(file, JSON.stringify({ version: 1, records: [heartbeat] }));
  for (let start = 0; start < 2; start++) {
    const { checks, close } = await open(folder);
    expect(checks.all()).toEqual([heartbeat]);
    await close();
    expect(pingToken).toMatch(/^[0-9a-f-]{36}$/);
    expect(bytesOf(folder)).not.toContain(pingToken);
    expect(readFileSync(file, 'utf8')).toContain('"$secret": "v1:');
  }
});

test('the key is made at the first start, for its owner only, and stays', async () => {
  const folder = temporaryFolder();
  await (await open(folder)).close();
  const path = join(folder, 'secret.key');
  const key = readFileSync(path);
  expect([key.length, statSync(path).mode & 0o777]).toEqual([32, 0o600]);
  await (await open(folder)).close();
  expect(readFileSync(path)).toEqual(key);
  expect(readdirSync(folder)).toEqual(['secret.key']);
});

test('a start that fails makes no key', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'keys.json'), 'nonsense');
  await startError(folder);
  expect(readdirSync(folder)).toEqual(['keys.json']);
});

test('plain files of before load, and are encrypted at once', async () => {
  const folder = temporaryFolder();
  const check = checkWithSecrets();
  writeFileSync(join(folder, 'checks.json'), JSON.stringify({ version: 1, records: [check] }));
  const { checks, close } = await open(folder);
  expect(checks.all()).toEqual([check]);
  await close();
  expect(bytesOf(folder)).not.toContain('hush-');
  expect(bytesOf(folder)).toContain('"$secret": "v1:');
});

test('without its key a folder with secrets does not start, and nothing is changed', async () => {
  const { folder } = await folderWithSecrets();
  rmSync(join(folder, 'secret.key'));
  const before = bytesOf(folder);
  expect(await startError(folder)).toBe(
    `${join(folder, 'secret.key')} is missing, and ${join(folder, 'checks.json')} holds secrets that only it opens: put it back from a backup.`,
  );
  expect(bytesOf(folder)).toBe(before);
});

test('with another key it does not start, and nothing is changed', async () => {
  const { folder } = await folderWithSecrets();
  writeFileSync(join(folder, 'secret.key'), Buffer.alloc(32, 7));
  const before = bytesOf(folder);
  expect(await startError(folder)).toMatch(
    /checks\.json cannot be used, and was left as it is: records\[0\]\.[\w.[\]]+: secret\.key is not the key that this was encrypted with\.$/,
  );
  expect(bytesOf(folder)).toBe(before);
});

test('a key file of another length is refused', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'secret.key'), 'short');
  expect(await startError(folder)).toBe(
    `${join(folder, 'secret.key')} cannot be used, and was left as it is: expected 32 bytes, got 5.`,
  );
});

test('a value that looks like a secret is no secret', async () => {
  const folder = temporaryFolder();
  const value = '{"$secret": "v1:AAAA"}';
  const first = await open(folder);
  await first.variables.put({ id: 'v', ...variable(value, {}) });
  await first.close();
  // Not even without a key, when the files are searched for secrets.
  rmSync(join(folder, 'secret.key'));
  const { variables, close } = await open(folder);
  expect(variables.get('v')?.value).toBe(value);
  await close();
});

test('what is written once is not encrypted again, so that files can be compared', async () => {
  const { folder } = await folderWithSecrets();
  const encrypted = () =>
    /v1:[\w-]+/.exec(readFileSync(join(folder, 'variables.json'), 'utf8'))?.[0];
  const before = encrypted();
  const { variables, close } = await open(folder);
  await variables.put({ id: 'y', ...variable('two', {}) });
  await close();
  expect(encrypted()).toBe(before);
});

test('no secret stands in a journal, and without its key a folder with one does not start', async () => {
  const folder = temporaryFolder();
  const running = await open(folder);
  await running.checks.put(checkWithSecrets());
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  await running.close();
  expect(readdirSync(copy).sort()).toEqual(['checks.json.journal', 'secret.key']);
  expect(bytesOf(copy)).not.toContain('hush-');
  expect(bytesOf(copy)).toContain('shown-check');
  const key = readFileSync(join(copy, 'secret.key'));
  rmSync(join(copy, 'secret.key'));
  expect(await startError(copy)).toBe(
    `${join(copy, 'secret.key')} is missing, and ${join(copy, 'checks.json.journal')} holds secrets that only it opens: put it back from a backup.`,
  );
  writeFileSync(join(copy, 'secret.key'), key);
  const { checks, close } = await open(copy);
  expect(checks.size).toBe(1);
  await close();
});

const KEY = Buffer.alloc(32, 1);

test('a text is sealed in another way each time, and opens to itself', () => {
  for (const text of ['', 'a', 'ü🔑\0', 'x'.repeat(100_000)]) {
    const [one, other] = [encrypt(text, KEY), encrypt(text, KEY)];
    expect(one).not.toEqual(other);
    expect([decrypt(one, KEY), decrypt(other, KEY)]).toEqual([text, text]);
  }
});

test.each([
  ['changed', (text: string) => text.replace(/.{4}$/, 'AAAA')],
  ['cut off', (text: string) => text.slice(0, 20)],
  ['of another version', (text: string) => text.replace('v1:', 'v2:')],
  ['not of the alphabet', () => 'v1:???'],
])('a sealed text that was %s does not open', (_, spoil) => {
  const { $secret } = encrypt('hush', KEY);
  expect(() => decrypt({ $secret: spoil($secret) }, KEY)).toThrow(DecryptionError);
});

test('sealed texts are opened wherever they stand, and all else stays', () => {
  const plain = { a: [1, null, { b: true, $secret: 'x', c: 'y' }], d: {} };
  expect(decryptAll(plain, KEY)).toEqual({ value: plain, count: 0 });
  const encrypted = { a: [encrypt('one', KEY)], b: { c: encrypt('two', KEY) } };
  expect(decryptAll(encrypted, KEY)).toEqual({ value: { a: ['one'], b: { c: 'two' } }, count: 2 });
  const nested = [{ a: { $secret: 'v1:AAAA' } }];
  expect(() => decryptAll(nested, KEY)).toThrow('records[0].a: the secret was cut off');
});

test.runIf(process.getuid?.() !== 0)('a folder that takes no key stops the start', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o500);
  expect(await startError(folder)).toContain('secret.key cannot be written');
  chmodSync(folder, 0o700);
});
