import type { Adapter } from 'lowdb';
import { expect, test } from 'vitest';
import { CollectionWriter } from '#main/store/configuration/collection-writer.ts';
import { COLLECTIONS } from '#main/store/configuration/collections.ts';
import type { ApiKey } from '#main/store/configuration/configuration.ts';
import type { Envelope } from '#main/store/configuration/envelope.ts';
import { makeKey } from './make-key.ts';

/** A file that is written when the test says so. */
class SlowFile implements Adapter<Envelope<ApiKey>> {
  readonly written: string[][] = [];
  #outcome = Promise.withResolvers<void>();
  #began = Promise.withResolvers<void>();

  async read(): Promise<Envelope<ApiKey> | null> {
    return null;
  }

  async write({ records }: Envelope<ApiKey>): Promise<void> {
    this.written.push(records.map(({ id }) => id));
    this.#began.resolve();
    await this.#outcome.promise;
  }

  /** Resolves when a write is under way. */
  get begun(): Promise<void> {
    return this.#began.promise;
  }

  /** Ends the write under way. */
  finish(error?: Error): void {
    const outcome = this.#outcome;
    this.#outcome = Promise.withResolvers();
    this.#began = Promise.withResolvers();
    if (error) outcome.reject(error);
    else outcome.resolve();
  }
}

const put = (id: string) => ({ put: makeKey(id) });
const noRoom = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

async function setUp() {
  const file = new SlowFile();
  const keeper = new CollectionWriter<ApiKey>(COLLECTIONS.keys, file);
  await keeper.open();
  return { file, keeper };
}

test('changes that come during a write share the next one', async () => {
  const { file, keeper } = await setUp();
  const first = keeper.change(put('a'));
  await file.begun;
  const others = Array.from({ length: 100 }, (_, n) => keeper.change(put(`b${n}`)));
  file.finish();
  await first;
  await file.begun;
  file.finish();
  await Promise.all(others);
  expect(file.written.map(({ length }) => length)).toEqual([1, 101]);
});

test('a failed write takes only its own changes back', async () => {
  const { file, keeper } = await setUp();
  const first = keeper.change(put('a'));
  await file.begun;
  file.finish();
  await first;

  const failing = keeper.change(put('b'));
  const deleting = keeper.change({ delete: 'a' });
  const rejected = Promise.allSettled([failing, deleting]);
  await file.begun;
  const later = keeper.change(put('c'));
  const nothingToDelete = keeper.change({ delete: 'b' });
  file.finish(noRoom());
  expect(await rejected).toMatchObject([
    { status: 'rejected', reason: { code: 'FULL' } },
    { status: 'rejected', reason: { code: 'FULL' } },
  ]);
  await file.begun;
  file.finish();
  expect(await later).toBe(true);
  expect(await nothingToDelete).toBe(false);
  expect(file.written).toEqual([['a'], ['b'], ['a', 'c']]);
});

test('deleting what is not there writes nothing', async () => {
  const { file, keeper } = await setUp();
  expect(await keeper.change({ delete: 'a' })).toBe(false);
  expect(file.written).toEqual([]);
});

test('settle waits for whatever is under way', async () => {
  const { file, keeper } = await setUp();
  const order: string[] = [];
  const change = keeper.change(put('a')).then(() => order.push('kept'));
  const settled = keeper.settle().then(() => order.push('settled'));
  await file.begun;
  file.finish();
  await Promise.all([change, settled]);
  expect(order).toEqual(['kept', 'settled']);
});
