import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StartupError } from '#main/platform/startup-error.ts';
import { CollectionFile, type RecordChange } from '#main/store/configuration/collection-file.ts';
import { COLLECTIONS } from '#main/store/configuration/collections.ts';
import type { ApiKey } from '#main/store/configuration/configuration.ts';
import { journalLine } from '#main/store/configuration/journal-lines.ts';
import { openConfiguration } from '#main/store/configuration/open-configuration.ts';
import { readSecretKey } from '#main/store/configuration/secret-key.ts';
import { RecordingLog } from '../recording-log.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { makeKey } from './make-key.ts';

const JSON_FILE = 'keys.json';
const JOURNAL = 'keys.json.journal';

type KeyFile = CollectionFile<ApiKey>;

/** The file of keys in a folder, and what is read of it. */
async function openFile(folder: string): Promise<{ file: KeyFile; records: readonly ApiKey[] }> {
  const file = new CollectionFile<ApiKey>(folder, COLLECTIONS.keys, await readSecretKey(folder));
  onTestFinished(() => file.close());
  const streamed: ApiKey[] = [];
  const isStreamed = await file.stream((record) => streamed.push(record));
  const envelope = await file.read();
  if (isStreamed) expect(streamed).toEqual(envelope?.records);
  return { file, records: envelope?.records ?? [] };
}

const recordsOf = async (folder: string) => (await openFile(folder)).records;
const append = (file: KeyFile, ...changes: RecordChange<ApiKey>[]) =>
  file.append(changes.map((change) => file.textOf(change)));
const put = (id: string, name?: string) => ({ put: makeKey(id, name) });
const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

function copyOf(folder: string): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

function pretty(...records: ApiKey[]): string {
  return `${JSON.stringify({ version: 1, records }, null, 2)}\n`;
}

/** Rounds of changes as they go to the disk together. */
const ROUNDS: RecordChange<ApiKey>[][] = [
  [put('d')],
  [put('a', 'renamed'), put('e', 'ü and "quotes"'), { delete: 'b' }],
  [{ delete: 'd' }],
  [put('f'), put('f', 'twice')],
  [{ delete: 'a' }, put('a', 'back')],
];

/** A folder with a file, and a journal with the rounds; after each, what is kept and the bytes of the journal. */
async function folderWithJournal() {
  const folder = temporaryFolder();
  writeFileSync(join(folder, JSON_FILE), pretty(makeKey('a'), makeKey('b'), makeKey('c')));
  const { file, records } = await openFile(folder);
  const expected = new Map(records.map((record) => [record.id, record]));
  const states = [{ bytes: 0, records: [...records] }];
  for (const round of ROUNDS) {
    await append(file, ...round);
    for (const change of round) {
      if ('put' in change) expected.set(change.put.id, change.put);
      else expected.delete(change.delete);
    }
    states.push({ bytes: file.journalBytes, records: [...expected.values()] });
  }
  return { folder, file, states, last: [...expected.values()] };
}

test('a line of a journal is JSON with its sum', () => {
  const line = journalLine(1, ['{"put":{"id":"a"}}', '{"delete":"b"}']);
  expect(line).toBe(
    '{"sum":"c31c71b4","version":1,"changes":[{"put":{"id":"a"}},{"delete":"b"}]}\n',
  );
});

test('a journal that is cut at any byte has all that was acknowledged before, and no start is refused', async () => {
  const { folder, states } = await folderWithJournal();
  const whole = readFileSync(join(folder, JOURNAL));
  expect(whole).toHaveLength(states.at(-1)?.bytes ?? 0);
  const cut = copyOf(folder);
  for (let length = 0; length <= whole.length; length += 1) {
    writeFileSync(join(cut, JOURNAL), whole.subarray(0, length));
    const { file, records } = await openFile(cut);
    const state = states.findLast(({ bytes }) => bytes <= length);
    expect(records, `cut after ${length} bytes`).toEqual(state?.records);
    expect(file.droppedBytes).toBe(length - (state?.bytes ?? 0));
  }
});

test('a change after a cut takes the place of the half line', async () => {
  const { folder, states } = await folderWithJournal();
  const [, , second] = states;
  for (const more of [1, 30]) {
    const cut = copyOf(folder);
    truncateSync(join(cut, JOURNAL), (second?.bytes ?? 0) + more);
    const { file } = await openFile(cut);
    await append(file, put('z'));
    expect(await recordsOf(cut)).toEqual([...(second?.records ?? []), makeKey('z')]);
    await file.fold();
    expect(read(cut, JSON_FILE)).toBe(pretty(...(second?.records ?? []), makeKey('z')));
  }
});

test('a byte that changed anywhere but in the last line stops the start, which says where and what to do', async () => {
  const { folder, states } = await folderWithJournal();
  const whole = readFileSync(join(folder, JOURNAL));
  const damaged = copyOf(folder);
  const lineAt = (at: number) => states.findLastIndex(({ bytes }) => bytes <= at) + 1;
  const lastLine = states.at(-2)?.bytes ?? 0;
  // The end of the last line but one is as much of the last one.
  for (let at = 0; at < lastLine - 1; at += 7) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(join(damaged, JOURNAL), bytes);
    const error = await openFile(damaged).catch((reason: unknown) => reason);
    expect(error, `byte ${at}`).toBeInstanceOf(StartupError);
    expect((error as Error).message).toBe(
      `${join(damaged, JOURNAL)} cannot be used, and was left as it is: line ${lineAt(at)} is damaged: ` +
        'put the file back from a backup, or remove that line and go without its changes.',
    );
    expect(readFileSync(join(damaged, JOURNAL))).toEqual(bytes);
  }
  const lines = whole.toString().split('\n');
  writeFileSync(join(damaged, JOURNAL), lines.toSpliced(1, 1).join('\n'));
  expect((await recordsOf(damaged)).map(({ id }) => id)).toEqual(['b', 'c', 'f', 'a']);
});

test('what a power cut left of the last write, in whatever order, is dropped', async () => {
  const { folder, states } = await folderWithJournal();
  const whole = readFileSync(join(folder, JOURNAL));
  const before = states.at(-2);
  const torn = copyOf(folder);
  for (let at = before?.bytes ?? 0; at < whole.length; at += 1) {
    const bytes = Buffer.from(whole).fill(0, at, Math.min(at + 20, whole.length));
    writeFileSync(join(torn, JOURNAL), bytes);
    expect(await recordsOf(torn), `zeros from ${at}`).toEqual(before?.records);
  }
});

test('a journal of another version of the records stops the start', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, JOURNAL), journalLine(2, ['{"delete":"a"}']));
  await expect(openFile(folder)).rejects.toThrow('version: expected at most 1, got 2.');
});

test('folding writes the file as people read it, and removes the journal', async () => {
  const { folder, file, last } = await folderWithJournal();
  await file.fold();
  expect(read(folder, JSON_FILE)).toBe(pretty(...last));
  expect(readdirSync(folder)).toEqual([JSON_FILE, 'secret.key']);
  await file.fold();
  expect(await recordsOf(folder)).toEqual(last);
});

test('changes that come while a file is folded stay in the journal', async () => {
  const { folder, file, last } = await folderWithJournal();
  const folding = file.fold();
  const appended = Array.from({ length: 20 }, (_, n) => append(file, put(`later ${n}`)));
  await Promise.all([folding, ...appended]);
  const expected = [...last, ...appended.map((_, n) => makeKey(`later ${n}`))];
  expect(await recordsOf(folder)).toEqual(expected);
  await append(file, put('c', 'changed'));
  await file.fold();
  expect(read(folder, JSON_FILE)).toBe(
    pretty(...expected.map((key) => (key.id === 'c' ? makeKey('c', 'changed') : key))),
  );
  expect(existsSync(join(folder, JOURNAL))).toBe(false);
});

/** A folder before and after its file was folded, with one change that came meanwhile. */
async function folding() {
  const before = await folderWithJournal();
  await append(before.file, put('later'));
  const after = await folderWithJournal();
  const folded = after.file.fold();
  await append(after.file, put('later'));
  await folded;
  const records = [...after.last, makeKey('later')];
  return { before: before.folder, after: after.folder, records };
}

/** Copies a file from the one folder to the other. */
const bring = (from: string, to: string, name: string) => cpSync(join(from, name), join(to, name));

test.each<[string, (before: string, after: string) => void]>([
  [
    'while the new file is written',
    (before, after) =>
      writeFileSync(join(before, `${JSON_FILE}.123456`), read(after, JSON_FILE).slice(0, 300)),
  ],
  ['after the new file is in place', (before, after) => bring(after, before, JSON_FILE)],
  [
    'while the rest of the journal is written',
    (before, after) => {
      bring(after, before, JSON_FILE);
      writeFileSync(join(before, `${JOURNAL}.123456`), read(after, JOURNAL).slice(0, 50));
    },
  ],
  [
    'after the rest of the journal is in place',
    (before, after) => {
      bring(after, before, JSON_FILE);
      bring(after, before, JOURNAL);
    },
  ],
])('a crash %s is harmless', async (_, crash) => {
  const { before: folder, after, records } = await folding();
  expect(read(after, JOURNAL).split('\n')).toHaveLength(2);
  crash(folder, after);
  const again = await openFile(folder);
  expect(again.records).toEqual(records);
  await append(again.file, put('after the crash'));
  await again.file.fold();
  expect(read(folder, JSON_FILE)).toBe(pretty(...records, makeKey('after the crash')));
  expect(readdirSync(folder)).toEqual([JSON_FILE, 'secret.key']);
});

test('any row of changes, with folds and starts in between, ends in the same records', async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const folder = temporaryFolder();
  const expected = new Map<string, ApiKey>();
  let { file } = await openFile(folder);
  for (let step = 0; step < 400; step += 1) {
    const id = `key ${random(25)}`;
    const record = makeKey(id, `name ${step}\n    },\n${'x'.repeat(random(300))}`);
    switch (random(8)) {
      case 0:
        await file.fold();
        break;
      case 1: {
        const again = await openFile(folder);
        expect(again.records).toEqual([...expected.values()]);
        file = again.file;
        break;
      }
      case 2:
      case 3:
        await append(file, { delete: id });
        expected.delete(id);
        break;
      default:
        await append(file, { put: record });
        expected.set(id, record);
    }
  }
  await file.fold();
  expect(read(folder, JSON_FILE)).toBe(pretty(...expected.values()));
});

test.each<[string, boolean, (text: string) => string]>([
  ['as Watchpost leaves it', true, (text) => text],
  ['with a change of a value', true, (text) => text.replace('"name": "', '"name": "our ')],
  ['of another version', false, (text) => text.replace('"version": 1', '"version": 2')],
  ['with a record that cannot be read', false, (text) => text.replace('"name": "', '"name": 7, "')],
  ['with two records of one id', false, (text) => text.replace('"id": "b"', '"id": "a"')],
  ['that was cut off', false, (text) => text.slice(0, -20)],
  ['in one line', false, (text) => JSON.stringify(JSON.parse(text))],
])('a file %s is streamed: %s', async (_, isStreamed, edit) => {
  const folder = temporaryFolder();
  const records = [makeKey('a'), makeKey('b'), makeKey('c')];
  writeFileSync(join(folder, JSON_FILE), edit(pretty(...records)));
  const file = new CollectionFile<ApiKey>(folder, COLLECTIONS.keys, await readSecretKey(folder));
  const ids: string[] = [];
  expect(await file.stream(({ id }) => ids.push(id))).toBe(isStreamed);
  if (isStreamed) expect(ids).toEqual(['a', 'b', 'c']);
});

test('a large file passes in pieces, and what did not change keeps its text', async () => {
  const folder = temporaryFolder();
  const names = Array.from({ length: 3_000 }, (_, n) =>
    makeKey(`${n}`, `${n} ü ${'x'.repeat(n % 900)}`),
  );
  // A number that no JSON.stringify writes so.
  const text = pretty(...names).replace('"id": "7"', '"n": 1.0,\n      "id": "7"');
  expect(text.length).toBeGreaterThan(1_000_000);
  writeFileSync(join(folder, JSON_FILE), text);
  const { file } = await openFile(folder);
  await append(file, put('0', 'first'), put('2999', 'last'), { delete: '1500' }, put('new'));
  await file.fold();
  const changed = names.map((key) => {
    if (key.id === '0') return makeKey('0', 'first');
    return key.id === '2999' ? makeKey('2999', 'last') : key;
  });
  changed.splice(1_500, 1);
  const expected = pretty(...changed, makeKey('new'));
  expect(read(folder, JSON_FILE)).toBe(expected.replace('"id": "7"', '"n": 1.0,\n      "id": "7"'));
});

test.each<[string, (text: string) => string]>([
  ['in one line', (text) => JSON.stringify(JSON.parse(text))],
  ['indented by four spaces', (text) => JSON.stringify(JSON.parse(text), null, 4)],
  ['with another line at its end', (text) => `${text}\n`],
  [
    'with the records before the version',
    (text) => {
      const { version, records } = JSON.parse(text);
      return JSON.stringify({ records, version }, null, 2);
    },
  ],
  ['with a record that is none', (text) => text.replace('"records": [', '"records": [\n    7,')],
  ['with lines moved to the left', (text) => text.replaceAll('\n      ', '\n    ')],
  ['with Windows line ends', (text) => text.replaceAll('\n', '\r\n')],
])('a file that a person left %s takes changes', async (_, edit) => {
  const folder = temporaryFolder();
  const text = edit(pretty(makeKey('a'), makeKey('b')));
  writeFileSync(join(folder, JSON_FILE), text);
  const { file } = await openFile(folder);
  expect(read(folder, JSON_FILE)).toBe(text);
  await append(file, put('c'), put('a', 'renamed'));
  await file.fold();
  const records = [makeKey('a', 'renamed'), makeKey('b'), makeKey('c')];
  expect(await recordsOf(folder)).toEqual(records);
  const strays = (JSON.parse(text) as { records: unknown[] }).records.filter((one) => one === 7);
  const written = { version: 1, records: [...strays, ...records] };
  expect(JSON.parse(read(folder, JSON_FILE))).toEqual(written);
});

test.each<[string, (path: string) => void]>([
  ['edited', (path) => writeFileSync(path, pretty(makeKey('by hand'), makeKey('a')))],
  ['removed', (path) => rmSync(path)],
])(
  'a file that is %s while Watchpost runs stays so, and changes stay in the journal',
  async (_, edit) => {
    const { folder, file } = await folderWithJournal();
    edit(join(folder, JSON_FILE));
    const before = copyOf(folder);
    await expect(file.fold()).rejects.toThrow('the file was changed or removed by somebody else');
    for (const name of readdirSync(before)) expect(read(folder, name)).toBe(read(before, name));
    expect(readdirSync(folder)).toEqual(readdirSync(before));
    const ids = (await recordsOf(folder)).map(({ id }) => id);
    expect(ids).toEqual(
      existsSync(join(folder, JSON_FILE)) ? ['by hand', 'e', 'f', 'a'] : ['e', 'f', 'a'],
    );
  },
);

test('half a line is told to the log, and a start with a journal has its changes', async () => {
  const { folder, last } = await folderWithJournal();
  writeFileSync(join(folder, JOURNAL), `${read(folder, JOURNAL)}{"sum":"half a`);
  const log = new RecordingLog();
  const { keys, close } = await openConfiguration(folder, { log });
  expect(keys.all()).toEqual(last);
  expect(log.lines).toEqual([
    {
      level: 'warn',
      message:
        'The journal of a file ends in half a line: a change that was being written at the last end, and that nobody was told is kept, is dropped.',
      fields: { file: JOURNAL, bytes: 14 },
    },
  ]);
  await close();
  expect(read(folder, JSON_FILE)).toBe(pretty(...last));
  expect(existsSync(join(folder, JOURNAL))).toBe(false);
});

test('a file that cannot be folded at the stop keeps its journal for the next start', async () => {
  const { folder, last } = await folderWithJournal();
  const log = new RecordingLog();
  const { keys, close } = await openConfiguration(folder, { log });
  await keys.put(makeKey('z'));
  rmSync(join(folder, JSON_FILE));
  writeFileSync(join(folder, JSON_FILE), pretty(makeKey('by hand')));
  await close();
  expect(log.lines).toMatchObject([
    {
      message: 'Changes stay in the journal of a file, as they cannot be written into it.',
      fields: { file: JSON_FILE, problem: expect.stringContaining('somebody else') },
    },
  ]);
  const ids = (await recordsOf(folder)).map(({ id }) => id);
  expect(ids).toEqual(['by hand', ...last.map(({ id }) => id).filter((id) => id !== 'c'), 'z']);
});
