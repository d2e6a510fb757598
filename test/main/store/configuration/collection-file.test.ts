import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { StartupError } from '#main/platform/startup-error.ts';
import { CollectionFile } from '#main/store/configuration/collection-file.ts';
import type { CollectionKind } from '#main/store/configuration/collections.ts';
import { openConfiguration } from '#main/store/configuration/open-configuration.ts';
import { readSecretKey } from '#main/store/configuration/secret-key.ts';
import type { Check } from '#shared/checks/check.ts';
import { makeCheck } from '../../../fixtures/checks.ts';
import { RecordingLog } from '../recording-log.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { makeKey } from './make-key.ts';

interface Note {
  id: string;
  text: string;
}

/** Notes, whose text was called `title` in version 1 and `subject` in version 2. */
const NOTES: CollectionKind<Note> = {
  file: 'notes.json',
  record: z.strictObject({ id: z.string(), text: z.string() }),
  migrations: [
    (records) =>
      (records as Record<string, string>[]).map(({ id, title }) => ({ id, subject: title })),
    (records) =>
      (records as Record<string, string>[]).map(({ id, subject }) => ({ id, text: subject })),
  ],
};

function write(folder: string, name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

test.each([
  [1, { id: 'a', title: 'hello' }],
  [2, { id: 'a', subject: 'hello' }],
])('a file of version %d is copied, brought up to date and written', async (version, record) => {
  const folder = temporaryFolder();
  const path = write(folder, 'notes.json', { version, records: [record] });
  const before = readFileSync(path, 'utf8');
  const expected = { version: 3, records: [{ id: 'a', text: 'hello' }] };
  expect(await new CollectionFile(folder, NOTES, await readSecretKey(folder)).read()).toEqual(
    expected,
  );
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(expected);
  expect(readFileSync(`${path}.v${version}.bak`, 'utf8')).toBe(before);
});

test('a migration that was interrupted after its copy begins again', async () => {
  const folder = temporaryFolder();
  const old = { version: 1, records: [{ id: 'a', title: 'hello' }] };
  write(folder, 'notes.json', old);
  write(folder, 'notes.json.v1.bak', old);
  write(folder, 'notes.json.4711', '{ "version": 3, "rec');
  expect(await new CollectionFile(folder, NOTES, await readSecretKey(folder)).read()).toMatchObject(
    { version: 3 },
  );
  expect(readdirSync(folder).sort()).toEqual(['notes.json', 'notes.json.v1.bak', 'secret.key']);
});

test('a file of this version is not copied', async () => {
  const folder = temporaryFolder();
  write(folder, 'notes.json', { version: 3, records: [{ id: 'a', text: 'hello' }] });
  await new CollectionFile(folder, NOTES, await readSecretKey(folder)).read();
  expect(readdirSync(folder)).toEqual(['notes.json']);
});

test('a file that is not there holds nothing', async () => {
  expect(
    await new CollectionFile(
      temporaryFolder(),
      NOTES,
      await readSecretKey(temporaryFolder()),
    ).read(),
  ).toBeNull();
});

const LEFT = 'cannot be used, and was left as it is';

test.each<[string, string, unknown, string]>([
  ['is empty', 'keys.json', '', `${LEFT}: expected JSON: Unexpected end of JSON input.`],
  ['was cut off', 'keys.json', '{"version": 1, "records": [{', `${LEFT}: expected JSON: `],
  ['holds a list', 'keys.json', [], `${LEFT}: Invalid input: expected object, received array.`],
  [
    'has no version',
    'keys.json',
    { records: [] },
    `${LEFT}: version: Invalid input: expected number, received undefined.`,
  ],
  [
    'is of a newer version',
    'keys.json',
    { version: 2, records: [] },
    `${LEFT}: version: expected at most 1, got 2.`,
  ],
  [
    'has a wrong record, and is that of the account',
    'account.json',
    { version: 1, records: [{ id: 'a', name: 7, runtimeId: '2025.04', created_at: 'now' }] },
    `${LEFT}: records[0].name: Invalid input: expected string, received number; ` +
      'records[0].created_at: Invalid ISO datetime.',
  ],
  [
    'has many wrong counters',
    'counters.json',
    { version: 1, records: [1, 2, 3, 4, 5] },
    'records[2]: Invalid input: expected object, received number; and 2 more.',
  ],
  [
    'has two records of one id',
    'keys.json',
    { version: 1, records: [makeKey('a'), makeKey('b'), makeKey('a')] },
    `${LEFT}: records[2].id: expected another id than records[0].id.`,
  ],
])(
  'a file that %s stops the start, is named and left as it is',
  async (_, name, content, problem) => {
    const folder = temporaryFolder();
    const path = write(folder, name, content);
    const before = readFileSync(path);
    const error = await openConfiguration(folder).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartupError);
    const { message } = error as StartupError;
    expect(message).toContain(`${path} cannot be used`);
    expect(message).toContain(problem);
    expect(message).not.toContain('\n');
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(folder)).toEqual([name]);
  },
);

test('a file that cannot be read stops the start', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'keys.json');
  // A link to itself can be read by nobody, not even by root.
  symlinkSync(path, path);
  await expect(openConfiguration(folder)).rejects.toThrow(`${path} cannot be read (ELOOP).`);
});

test.each<[string, unknown, string]>([
  ['of an unknown type', { id: 'x', checkType: 'GOPHER' }, 'records[1].checkType: '],
  ['that is none', 7, 'records[1]: Invalid input: expected object, received number'],
  ['without an id', { checkType: 'URL' }, 'records[1].id: '],
  [
    'whose secret was cut off',
    { ...makeCheck('URL'), name: { $secret: 'v1:AAAA' } },
    'records[1].name: the secret was cut off',
  ],
])(
  'a record %s costs itself: the others start, and it stays as it is',
  async (_, record, problem) => {
    const folder = temporaryFolder();
    const secret = { key: 'TOKEN', value: 'hush', locked: true, secret: true };
    const checks = [
      makeCheck('API', { environmentVariables: [secret] }),
      makeCheck('TCP'),
    ] as Check[];
    const first = await openConfiguration(folder);
    for (const check of checks) await first.checks.put(check);
    await first.close();
    const file = JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8'));
    file.records.splice(1, 0, record);
    const path = write(folder, 'checks.json', file);
    const before = readFileSync(path);

    const log = new RecordingLog();
    const again = await openConfiguration(folder, { log });
    expect(again.checks.all()).toEqual(checks);
    expect(again.checks.unreadable).toBe(1);
    expect(readFileSync(path)).toEqual(before);
    expect(log.lines).toEqual([
      {
        level: 'warn',
        message: 'A record cannot be read: it is passed over, and stays in its file as it is.',
        fields: { file: 'checks.json', problem: expect.stringContaining(problem) },
      },
    ]);
    // Nor does a change lose it.
    const added = makeCheck('DNS') as Check;
    await again.checks.put(added);
    await again.close();
    const { records } = JSON.parse(readFileSync(path, 'utf8'));
    expect(records).toHaveLength(4);
    expect(records[1]).toEqual(record);
    expect(readFileSync(path, 'utf8')).not.toContain('hush');
  },
);

test('of a file with many records in our layout each is handed over as its schema has it, and a bad one stops that', async () => {
  const folder = temporaryFolder();
  const records = Array.from({ length: 600 }, (_, n) => ({ id: `${n}`, text: `größer, ${n}` }));
  const layout = (all: readonly object[]) =>
    `${JSON.stringify({ version: 3, records: all }, null, 2)}\n`;
  const trimmed = { ...NOTES, record: z.object({ id: z.string(), text: z.string().trim() }) };
  const stream = async (all: readonly object[]) => {
    write(folder, 'notes.json', layout(all));
    const taken: Note[] = [];
    const file = new CollectionFile(folder, trimmed, await readSecretKey(folder));
    const isStreamed = await file.stream((note) => taken.push(note));
    return { isStreamed, taken };
  };
  const last = { id: 'last', text: ' last ', other: 1 };
  expect(await stream([...records, last])).toEqual({
    isStreamed: true,
    taken: [...records, { id: 'last', text: 'last' }],
  });
  expect(await stream([...records, { id: 'last' }])).toMatchObject({ isStreamed: false });
  expect(await stream([...records, records[0] ?? {}])).toMatchObject({ isStreamed: false });
});
