import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Change, Configuration } from '#main/store/configuration/configuration.ts';
import { openConfiguration } from '#main/store/configuration/open-configuration.ts';
import type { Check } from '#shared/checks/check.ts';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { makeCheck } from '../../../fixtures/checks.ts';
import { RecordingLog } from '../recording-log.ts';
import { nextLine, runProgram } from '../run-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { makeKey } from './make-key.ts';

const log = new RecordingLog();

async function open(folder = temporaryFolder()): Promise<Configuration & { folder: string }> {
  const configuration = await openConfiguration(folder, { log });
  return { ...configuration, folder };
}

async function reopen(configuration: Configuration & { folder: string }) {
  await configuration.close();
  return open(configuration.folder);
}

test('checks of every type come back as they were, in the order of creation', async () => {
  const first = await open();
  const checks = CHECK_TYPES.map((type) => makeCheck(type) as Check);
  for (const check of checks) await first.checks.put(check);
  const again = await reopen(first);
  expect(again.checks.all()).toEqual(checks);
  expect(again.checks.size).toBe(checks.length);
  await again.close();
});

test('a record that is replaced keeps its place, one that is deleted is gone', async () => {
  const first = await open();
  for (const id of ['a', 'b', 'c', 'd']) await first.keys.put(makeKey(id));
  await first.keys.put(makeKey('b', 'renamed'));
  expect(await first.keys.delete('c')).toBe(true);
  expect(await first.keys.delete('c')).toBe(false);
  const names = ({ keys }: Configuration) => keys.all().map(({ id, name }) => [id, name]);
  const expected = [
    ['a', 'a key'],
    ['b', 'renamed'],
    ['d', 'a key'],
  ];
  expect(names(first)).toEqual(expected);
  expect(first.keys.get('c')).toBeUndefined();
  const again = await reopen(first);
  expect(names(again)).toEqual(expected);
  await again.close();
});

test('after a stop the file can be read by people and holds its version, and there is no journal', async () => {
  const first = await open();
  const { folder } = first;
  await first.keys.put(makeKey('a'));
  await first.keys.put(makeKey('b', 'two\nlines'));
  const { keys, close } = await reopen(first);
  const text = readFileSync(join(folder, 'keys.json'), 'utf8');
  const envelope = { version: 1, records: [makeKey('a'), makeKey('b', 'two\nlines')] };
  expect(text).toBe(`${JSON.stringify(envelope, null, 2)}\n`);
  await keys.delete('a');
  await keys.delete('b');
  for (const name of ['keys.json', 'keys.json.journal']) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  }
  await close();
  expect(readdirSync(folder).sort()).toEqual(['keys.json', 'secret.key']);
  expect(readFileSync(join(folder, 'keys.json'), 'utf8')).toBe(
    `${JSON.stringify({ version: 1, records: [] }, null, 2)}\n`,
  );
});

test('changes of one record at once are kept in their order', async () => {
  const first = await open();
  const changes = Array.from({ length: 50 }, (_, n) => first.keys.put(makeKey('a', `name ${n}`)));
  const deleted = first.keys.delete('a');
  const last = first.keys.put(makeKey('a', 'last'));
  await Promise.all([...changes, deleted, last]);
  expect(await deleted).toBe(true);
  expect(first.keys.get('a')?.name).toBe('last');
  const again = await reopen(first);
  expect(again.keys.all()).toEqual([makeKey('a', 'last')]);
  await again.close();
});

test('memory and listeners follow only once a change is kept', async () => {
  const { keys, folder, close } = await open();
  const changes: Change<unknown>[] = [];
  const stop = keys.subscribe((change) => {
    const last = readFileSync(join(folder, 'keys.json.journal'), 'utf8')
      .trimEnd()
      .split('\n')
      .at(-1);
    expect(last).toContain(change.kind === 'put' ? '"put":{"id":"a"' : '"delete":"a"');
    changes.push(change);
  });
  const put = keys.put(makeKey('a'));
  expect(keys.get('a')).toBeUndefined();
  await put;
  expect(keys.get('a')).toEqual(makeKey('a'));
  await keys.put(makeKey('a', 'renamed'));
  await keys.delete('a');
  stop();
  await keys.put(makeKey('b'));
  expect(changes).toEqual([
    { kind: 'put', record: makeKey('a'), previous: undefined },
    { kind: 'put', record: makeKey('a', 'renamed'), previous: makeKey('a') },
    { kind: 'delete', record: makeKey('a', 'renamed') },
  ]);
  await close();
});

test('a listener that fails neither takes the change back nor keeps it from the others', async () => {
  const { keys, close } = await open();
  const heard: string[] = [];
  const before = log.lines.length;
  keys.subscribe(() => {
    throw new Error('A mistake of ours.');
  });
  keys.subscribe(({ record }) => heard.push(record.id));
  await keys.put(makeKey('a'));
  expect(heard).toEqual(['a']);
  expect(log.lines.slice(before)).toMatchObject([{ message: 'A listener to changes failed.' }]);
  await close();
});

test('a write that fails changes nothing, and later ones are none the worse', async () => {
  const first = await open();
  await first.keys.put(makeKey('a'));
  const path = join(first.folder, 'account.json.journal');
  // Nothing can be written into a folder, not even by root.
  mkdirSync(path);
  const account = {
    id: 'one',
    name: 'Watchpost',
    runtimeId: '2025.04',
    created_at: '2026-01-01T00:00:00.000Z',
  };
  const failed = await Promise.allSettled([
    first.account.put(account),
    first.account.put({ ...account, id: 'two' }),
  ]);
  expect(failed).toMatchObject([
    { status: 'rejected', reason: { name: 'StoreError', code: 'IO' } },
    { status: 'rejected', reason: { name: 'StoreError', code: 'IO' } },
  ]);
  expect(first.account.all()).toEqual([]);
  await first.keys.put(makeKey('b'));

  rmdirSync(path);
  await first.account.put({ ...account, id: 'three' });
  const again = await reopen(first);
  expect(readdirSync(first.folder).sort()).toEqual(['account.json', 'keys.json', 'secret.key']);
  expect(again.account.all().map(({ id }) => id)).toEqual(['three']);
  expect(again.keys.size).toBe(2);
  await again.close();
});

test.runIf(canMount())('a disk that fills up in the middle of a write loses nothing', async () => {
  const folder = temporaryFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
  onTestFinished(() => {
    execFileSync('umount', [folder]);
  });
  const first = await open(folder);
  await first.keys.put(makeKey('small'));
  const journal = () => readFileSync(join(folder, 'keys.json.journal'), 'utf8');
  const before = journal();
  await expect(first.keys.put(makeKey('large', 'x'.repeat(100_000)))).rejects.toMatchObject({
    code: 'FULL',
  });
  expect(journal()).toBe(before);
  expect(first.keys.all()).toEqual([makeKey('small')]);
  await first.keys.put(makeKey('small too'));
  const again = await reopen(first);
  expect(again.keys.all()).toEqual([makeKey('small'), makeKey('small too')]);
  await again.close();
});

test('a record that the next start would refuse is refused now', async () => {
  const { keys, checks, close } = await open();
  await expect(keys.put({ ...makeKey('a'), hash: 'short' })).rejects.toMatchObject({
    code: 'INVALID',
  });
  const check = { ...makeCheck('URL'), frequency: Number.NaN };
  await expect(checks.put(check)).rejects.toMatchObject({ code: 'INVALID' });
  await expect(
    keys.put({ ...makeKey('b'), name: (() => 1) as unknown as string }),
  ).rejects.toThrow();
  await keys.put(makeKey('c'));
  expect([keys.size, checks.size]).toEqual([1, 0]);
  await close();
});

test('after the close changes are refused', async () => {
  const { keys, close } = await open();
  await close();
  await expect(keys.put(makeKey('late'))).rejects.toMatchObject({ code: 'CLOSED' });
});

test('what an interrupted write left behind is removed, and nothing else', async () => {
  const folder = temporaryFolder();
  for (const name of ['keys.json.123456', 'checks.json.9', 'keys.json.bak', 'notes.json.1']) {
    writeFileSync(join(folder, name), 'half a file');
  }
  await (await open(folder)).close();
  expect(readdirSync(folder).sort()).toEqual(['keys.json.bak', 'notes.json.1', 'secret.key']);
});

test('kill -9 while writing loses nothing that was acknowledged, and leaves whole files', async () => {
  const folder = temporaryFolder();
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round++) {
    const program = runProgram('write-configuration.ts', [folder]);
    for (let line = 0; line < 60; line++) acknowledged.push(await nextLine(program));
    program.process.kill('SIGKILL');
    expect(await program.ended).toBe('SIGKILL');
  }
  const { keys, close } = await open(folder);
  expect(acknowledged.filter((id) => !keys.get(id))).toEqual([]);
  await close();
});

test('a configuration in an empty folder makes no files until there is something to keep', async () => {
  const { folder, close, checks } = await open();
  expect(await checks.delete(randomUUID())).toBe(false);
  await close();
  expect(existsSync(join(folder, 'checks.json'))).toBe(false);
});

/** Whether this is root with the right to mount, so that a disk can be made to fill up. */
function canMount(): boolean {
  const folder = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  }
}

test('whether a change can be kept is answered while the thread is there, and rejected once it is not', async () => {
  const configuration = await open();
  await expect(configuration.probe()).resolves.toBeUndefined();
  await configuration.close();
  await expect(configuration.probe()).rejects.toMatchObject({ code: 'CLOSED' });
});
