import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CollectionWriter, type WrittenFile } from '#main/store/configuration/collection-writer.ts';
import { COLLECTIONS } from '#main/store/configuration/collections.ts';
import type { ApiKey } from '#main/store/configuration/configuration.ts';
import type { Envelope } from '#main/store/configuration/envelope.ts';
import { makeKey } from './make-key.ts';

const MIB = 1_024 ** 2;

/** A file that is written when the test says so. */
class SlowFile implements WrittenFile<ApiKey> {
  readonly appended: string[][] = [];
  folds = 0;
  bytes = 0;
  journalBytes = 0;
  /** Why it cannot be folded; null where it can. */
  foldProblem: string | null = null;
  #outcome = Promise.withResolvers<void>();
  #began = Promise.withResolvers<void>();
  #folded = Promise.withResolvers<void>();

  async stream(): Promise<boolean> {
    return true;
  }

  async read(): Promise<Envelope<ApiKey> | null> {
    return null;
  }

  async write(): Promise<void> {
    throw new Error('a writer changes its file by folding');
  }

  textOf(change: { put: ApiKey } | { delete: string }): string {
    return 'put' in change ? change.put.id : `-${change.delete}`;
  }

  async append(changes: readonly string[]): Promise<void> {
    this.appended.push([...changes]);
    this.#began.resolve();
    await this.#outcome.promise;
  }

  async fold(): Promise<void> {
    this.folds += 1;
    this.#folded.resolve();
    this.#folded = Promise.withResolvers();
    if (this.foldProblem !== null) throw new Error(this.foldProblem);
    this.bytes += this.journalBytes;
    this.journalBytes = 0;
  }

  async close(): Promise<void> {}

  /** Resolves when a write is under way. */
  get begun(): Promise<void> {
    return this.#began.promise;
  }

  /** Resolves with the next fold. */
  get folded(): Promise<void> {
    return this.#folded.promise;
  }

  /** Ends the write under way. */
  finish(error?: Error, bytes = 100): void {
    const outcome = this.#outcome;
    this.#outcome = Promise.withResolvers();
    this.#began = Promise.withResolvers();
    if (error) {
      outcome.reject(error);
      return;
    }
    this.journalBytes += bytes;
    outcome.resolve();
  }
}

const put = (id: string) => ({ put: makeKey(id) });
const noRoom = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

async function setUp(idleMs?: number) {
  const file = new SlowFile();
  const problems: string[] = [];
  const notify = (problem: string) => problems.push(problem);
  const writer = new CollectionWriter<ApiKey>(COLLECTIONS.keys, file, notify, idleMs);
  await writer.open({ take: () => {}, restart: () => {} });
  /** A change that leaves so many bytes in the journal. */
  const change = async (id: string, bytes?: number) => {
    const changed = writer.change(put(id));
    await file.begun;
    file.finish(undefined, bytes);
    await changed;
    // A fold follows in the same turn.
    await nextTurn();
  };
  return { file, writer, problems, change };
}

test('changes that come while others go to the disk go together after them', async () => {
  const { file, writer, change } = await setUp();
  const first = writer.change(put('a'));
  await file.begun;
  const others = Array.from({ length: 100 }, (_, n) => writer.change(put(`b${n}`)));
  file.finish();
  await first;
  await file.begun;
  file.finish();
  await Promise.all(others);
  await change('c');
  expect(file.appended.map(({ length }) => length)).toEqual([1, 100, 1]);
});

test('changes that go together are bounded in size', async () => {
  const { file, writer, change } = await setUp();
  const large = 'x'.repeat(1.5 * MIB);
  const first = writer.change(put('a'));
  await file.begun;
  const others = ['b', 'c', 'd', 'e'].map((id) => writer.change(put(id + large)));
  file.finish();
  await first;
  await file.begun;
  file.finish();
  await file.begun;
  file.finish();
  await Promise.all(others);
  await change(large + large + large);
  expect(file.appended.map(({ length }) => length)).toEqual([1, 2, 2, 1]);
});

test('a failed write takes only its own changes back', async () => {
  const { file, writer, change } = await setUp();
  await change('a');
  const failing = writer.change(put('b'));
  const deleting = writer.change({ delete: 'a' });
  const rejected = Promise.allSettled([failing, deleting]);
  await file.begun;
  const later = writer.change(put('c'));
  file.finish(noRoom());
  expect(await rejected).toMatchObject([
    { status: 'rejected', reason: { code: 'FULL' } },
    { status: 'rejected', reason: { code: 'FULL' } },
  ]);
  await file.begun;
  file.finish();
  await later;
  expect(file.appended).toEqual([['a'], ['b', '-a'], ['c']]);
});

test('settle waits for whatever is under way, and folds it', async () => {
  const { file, writer } = await setUp();
  const order: string[] = [];
  const change = writer.change(put('a')).then(() => order.push('kept'));
  const settled = writer.settle().then(() => order.push('settled'));
  await file.begun;
  file.finish();
  await Promise.all([change, settled]);
  expect(order).toEqual(['kept', 'settled']);
  expect([file.folds, file.journalBytes]).toEqual([1, 0]);
});

test('a journal is folded at 1 MiB, and later when it is as large as its file', async () => {
  const { file, change } = await setUp();
  await change('a', MIB - 1);
  expect(file.folds).toBe(0);
  await change('b', 3 * MIB);
  expect([file.folds, file.bytes]).toEqual([1, 4 * MIB - 1]);
  await change('c', 4 * MIB - 2);
  expect(file.folds).toBe(1);
  await change('d', 1);
  expect(file.folds).toBe(2);
});

test('what cannot be folded is said once, and tried again when there is as much again', async () => {
  const { file, change, problems } = await setUp();
  file.foldProblem = 'no room';
  await change('a', MIB);
  await change('b', MIB - 1);
  expect(file.folds).toBe(1);
  await change('c', 1);
  expect([file.folds, problems]).toEqual([2, ['no room']]);
  file.foldProblem = null;
  await change('d', MIB);
  file.foldProblem = 'no room';
  await change('e', 3 * MIB);
  expect([file.folds, problems]).toEqual([4, ['no room', 'no room']]);
});

test('a journal is folded once nothing changes for a while', async () => {
  const { file, change } = await setUp(1);
  const { folded } = file;
  await change('a');
  await folded;
  expect(file.folds).toBe(1);
});
