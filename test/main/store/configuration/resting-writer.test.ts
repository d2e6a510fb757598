import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openConfiguration } from '#main/store/configuration/open-configuration.ts';
import { makeCheck } from '../../../fixtures/checks.ts';
import { temporaryFolder } from '../../../fixtures/running-appliance.ts';
import { RecordingLog } from '../recording-log.ts';

/** Turns of the event loop in which a thread that is idle for a millisecond has ended for sure, or nearly. */
const MANY_TURNS = 20_000;

async function pass(turns: number) {
  for (let turn = 0; turn < turns; turn++) await nextTurn();
}

async function folderOf(...checks: object[]) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const text = JSON.stringify({ version: 1, records: checks });
  await writeFile(join(folder.path, 'checks.json'), text);
  return folder.path;
}

const open = async (folder: string, log = new RecordingLog()) =>
  openConfiguration(folder, { log, idleMs: 1 });

test('changes after, in and before the rest of the thread that writes are all kept', async () => {
  const old = makeCheck('URL', { name: 'old' });
  const folder = await folderOf(old);
  const configuration = await open(folder);
  const added = Array.from({ length: 6 }, (_, n) => makeCheck('TCP', { name: `check ${n}` }));
  await pass(MANY_TURNS);
  for (const [n, check] of added.entries()) {
    await configuration.checks.put(check);
    await pass(n * 10);
  }
  await configuration.checks.put({ ...old, name: 'new' });
  await configuration.close();
  const { records } = JSON.parse(await readFile(join(folder, 'checks.json'), 'utf8'));
  const names = records.map(({ name }: { name: string }) => name);
  expect(names.toSorted()).toEqual([...added.map(({ name }) => name), 'new']);
  const again = await open(folder);
  expect(again.checks.get(old.id)?.name).toBe('new');
  await again.close();
});

test('a file that a person edited while the thread rested is not overwritten', async () => {
  const folder = await folderOf(makeCheck('URL', { name: 'one' }));
  const log = new RecordingLog();
  const configuration = await open(folder, log);
  await pass(MANY_TURNS);
  const edited = JSON.stringify({ version: 1, records: [makeCheck('URL', { name: 'by hand' })] });
  await writeFile(join(folder, 'checks.json'), edited);
  await configuration.checks.put(makeCheck('URL', { name: 'by the API' }));
  await configuration.close();
  expect(await readFile(join(folder, 'checks.json'), 'utf8')).toBe(edited);
  expect(log.lines.map(({ message }) => message).join()).toContain('stay in the journal');
});

test('a configuration that rests is well, and closes', async () => {
  const configuration = await open(await folderOf());
  await pass(MANY_TURNS);
  await configuration.probe();
  await configuration.close();
});
