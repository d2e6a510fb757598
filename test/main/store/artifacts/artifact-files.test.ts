import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ARTIFACTS_FOLDER, ArtifactFiles } from '#main/store/artifacts/artifact-files.ts';
import type { History } from '#main/store/history/history.ts';
import { openHistory } from '#main/store/history/open-history.ts';
import { StoreError } from '#main/store/store-error.ts';
import { artifactPath } from '#shared/artifacts/artifact.ts';
import { ArtifactWriter } from '#workers/browser/artifact-writer.ts';
import { MemoryHistory } from '../../../fixtures/memory-history.ts';
import { SimulatedClock } from '../../../fixtures/simulated-clock.ts';
import { makeArtifact } from '../artifact-records.ts';
import { RecordingLog } from '../recording-log.ts';
import { makeResult } from '../records.ts';
import { nextLine, runProgram } from '../run-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const HOUR = 3_600_000;

function open(history: History = new MemoryHistory()) {
  const folder = temporaryFolder();
  const store = join(folder, ARTIFACTS_FOLDER);
  const clock = new SimulatedClock(Date.now());
  const log = new RecordingLog();
  const files = new ArtifactFiles(folder, { history, clock, log });
  /** A content of this age, and its hash. */
  const leave = (content: string, ageMs: number, place = (hash: string) => artifactPath(hash)) => {
    const { sha256 } = makeArtifact({ content });
    const path = join(store, place(sha256));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    const at = new Date(clock.now() - ageMs);
    utimesSync(path, at, at);
    return sha256;
  };
  return { folder, store, clock, log, files, history, leave };
}

const filesIn = (store: string) =>
  readdirSync(store, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

test('a file that nothing names is removed once it is an hour old, and no other', async () => {
  const { files, history, store, leave, clock } = open();
  const named = leave('named', 9 * HOUR);
  const old = leave('old', HOUR + 1_000);
  const young = leave('young', HOUR - 60_000);
  await history.write({
    results: [{ ...makeResult(), artifacts: [makeArtifact({ content: 'named' })] }],
  });
  await files.sweep();
  expect(existsSync(files.pathOf(old))).toBe(false);
  expect(filesIn(store)).toEqual([named, young].sort());
  clock.jump(HOUR);
  await files.sweep();
  expect(filesIn(store)).toEqual([named]);
});

test('what a crash left while it wrote is removed, what people put there stays', async () => {
  const { files, store, leave } = open();
  leave('half', 2 * HOUR, () => 'incoming/one');
  leave('being written', 1_000, () => 'incoming/two');
  leave('note', 2 * HOUR, () => 'README');
  leave('elsewhere', 2 * HOUR, () => `00/${'f'.repeat(64)}`);
  await files.sweep();
  expect(filesIn(store)).toEqual(['README', 'f'.repeat(64), 'two'].sort());
});

test('a file that is found again while it is removed stays', async () => {
  const history = new MemoryHistory();
  const { files, store, leave } = open(history);
  const hash = leave('again', 2 * HOUR);
  // A run comes between the question and the removal.
  const asked = history.listUnnamed.bind(history);
  history.listUnnamed = async (hashes) => {
    const unnamed = await asked(hashes);
    const again = await new ArtifactWriter(store).addBytes(
      { type: 'file', name: 'again' },
      Buffer.from('again'),
    );
    expect(again?.sha256).toBe(hash);
    return unnamed;
  };
  await files.sweep();
  expect(readFileSync(files.pathOf(hash), 'utf8')).toBe('again');
});

test('whenever a run finds a file again, it is there afterwards', async () => {
  const { files, store, leave } = open();
  const content = Buffer.from('again');
  for (let round = 0; round < 300; round++) {
    const hash = leave('again', 2 * HOUR);
    const sweep = async () => {
      // At another moment of the run each time.
      for (let turn = 0; turn < round % 60; turn++) await stat(store);
      await files.sweep();
    };
    const run = new ArtifactWriter(store).addBytes({ type: 'file', name: 'again' }, content);
    await Promise.all([sweep(), run]);
    expect(existsSync(files.pathOf(hash)), `round ${round}`).toBe(true);
  }
});

test('a kill in the middle of a removal loses nothing that was named meanwhile', async () => {
  const { files, history, store, leave, clock } = open();
  const hash = leave('named', 2 * HOUR, (one) => `outgoing/${one}`);
  mkdirSync(dirname(files.pathOf(hash)), { recursive: true });
  await history.write({
    results: [{ ...makeResult(), artifacts: [makeArtifact({ content: 'named' })] }],
  });
  const other = leave('nothing names it', 2 * HOUR, (one) => `outgoing/${one}`);
  mkdirSync(dirname(files.pathOf(other)), { recursive: true });
  await files.sweep();
  clock.jump(HOUR + 1_000);
  await files.sweep();
  expect(filesIn(store)).toEqual([hash]);
});

test('a content of two results stays until the last of them is gone', async () => {
  const { files, history, leave } = open();
  const hash = leave('same', 2 * HOUR);
  const artifacts = [makeArtifact({ content: 'same' })];
  const both = [makeResult(), makeResult()];
  await history.write({ results: both.map((one) => ({ ...one, artifacts })) });
  for (const { result } of both) {
    await files.sweep();
    expect(existsSync(files.pathOf(hash))).toBe(true);
    await history.forget(result.checkId);
  }
  await files.sweep();
  expect(existsSync(files.pathOf(hash))).toBe(false);
});

test('nothing is removed while the store fails, which is said', async () => {
  const history = new MemoryHistory();
  const { files, leave, log, clock } = open(history);
  const hash = leave('waits', 2 * HOUR);
  const probe = history.probe.bind(history);
  history.probe = () => Promise.reject(new StoreError('FULL', 'The disk is full.'));
  files.start();
  await expect.poll(() => log.lines.length).toBe(1);
  expect(existsSync(files.pathOf(hash))).toBe(true);
  history.probe = probe;
  await clock.advance(600_000);
  await expect.poll(() => existsSync(files.pathOf(hash))).toBe(false);
  await files.close();
});

test('kill -9 between a file and its result leaves nothing lost, and nothing behind', async () => {
  const folder = temporaryFolder();
  const kept: { checkId: string; resultId: string }[] = [];
  for (let round = 0; round < 4; round++) {
    const program = runProgram('write-artifacts.ts', [folder]);
    for (let line = 0; line < 20 + round * 7; line++) {
      const [checkId = '', resultId = ''] = (await nextLine(program)).split(' ');
      kept.push({ checkId, resultId });
    }
    program.process.kill('SIGKILL');
    await program.ended;
  }
  const clock = new SimulatedClock(Date.now() + 2 * HOUR);
  const history = await openHistory(folder, { clock });
  onTestFinished(() => history.close());
  const files = new ArtifactFiles(folder, { history, clock, log: new RecordingLog() });
  const before = filesIn(join(folder, ARTIFACTS_FOLDER)).length;
  await files.sweep();
  for (const of of kept) {
    const [artifact] = (await history.listArtifacts(of)) ?? [];
    expect(statSync(files.pathOf(artifact?.sha256 ?? '')).size).toBe(artifact?.bytes);
  }
  const left = filesIn(join(folder, ARTIFACTS_FOLDER));
  expect(left.length).toBeLessThanOrEqual(before);
  expect(await history.listUnnamed(left)).toEqual([]);
});
