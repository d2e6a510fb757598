import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { artifactPath } from '#shared/artifacts/artifact.ts';
import { ArtifactWriter } from '#workers/browser/artifact-writer.ts';
import { canMountDisks, mountSmallDisk } from '../../fixtures/small-disk.ts';
import { temporaryFolder } from '../../main/store/temporary-folder.ts';

const PICTURE = Buffer.from('a picture');
const HASH = createHash('sha256').update(PICTURE).digest('hex');
const LONG_AGO = new Date(1_700_000_000_000);

let store = '';
let root = '';
beforeEach(() => {
  const folder = temporaryFolder();
  store = join(folder, 'artifacts');
  root = join(folder, 'run');
  mkdirSync(root);
});

const contents = () =>
  existsSync(store)
    ? readdirSync(store, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
    : [];
const leave = (name: string, content: string | Buffer = PICTURE) => {
  const path = join(root, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return { root, path };
};

describe('the artifacts of a run', () => {
  test('are in the store by their hash, readable by nobody else', async () => {
    const writer = new ArtifactWriter(store);
    const kept = await writer.addFile({ type: 'screenshot', name: 'a.png' }, leave('a.png'));
    expect(kept).toEqual({
      type: 'screenshot',
      name: 'a.png',
      sha256: HASH,
      bytes: PICTURE.byteLength,
      contentType: 'image/png',
    });
    const path = join(store, artifactPath(HASH));
    expect(readFileSync(path)).toEqual(PICTURE);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(writer.artifacts).toEqual([kept]);
    expect(writer.problems).toEqual([]);
  });

  test('have one file for the same content, which is new again', async () => {
    const writer = new ArtifactWriter(store);
    await writer.addBytes({ type: 'screenshot', name: 'a.png' }, PICTURE);
    const path = join(store, artifactPath(HASH));
    utimesSync(path, LONG_AGO, LONG_AGO);
    const again = await writer.addFile({ type: 'file', name: 'b', contentType: 'x/y' }, leave('b'));
    expect(again).toMatchObject({ sha256: HASH, name: 'b', contentType: 'x/y' });
    expect(contents()).toEqual([HASH]);
    expect(statSync(path).mtimeMs).toBeGreaterThan(LONG_AGO.getTime());
  });

  test('take the place of a content that a power cut spoiled', async () => {
    const path = join(store, artifactPath(HASH));
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '');
    await new ArtifactWriter(store).addBytes({ type: 'screenshot', name: 'a.png' }, PICTURE);
    expect(readFileSync(path)).toEqual(PICTURE);
  });

  test('have names of their own, also when they come at the same time', async () => {
    const writer = new ArtifactWriter(store);
    const all = ['a.png', 'a.png', '../a.png'].map((name) =>
      writer.addBytes({ type: 'screenshot', name }, PICTURE),
    );
    const names = (await Promise.all(all)).map((kept) => kept?.name);
    expect(names).toEqual(['a.png', 'a (2).png', 'a (3).png']);
  });

  test('that are pages of a report get a storage before their own scripts', async () => {
    const writer = new ArtifactWriter(store);
    const page = `<html><head><script>own()</script></head>${'x'.repeat(600_000)}</html>`;
    const kept = await writer.addFile({ type: 'report', name: 'r.html' }, leave('r.html', page));
    const stored = readFileSync(join(store, artifactPath(kept?.sha256 ?? '')), 'utf8');
    const added = /^<html><head><script>\n.*localStorage.*?<\/script>(?=<script>own)/s.exec(stored);
    expect(stored.replace(added?.[0] ?? '', '<html><head>')).toBe(page);
    expect(kept?.bytes).toBe(stored.length);
    const other = await writer.addFile({ type: 'file', name: 'r.html' }, leave('r.html', page));
    expect(other?.bytes).toBe(page.length);
  });

  test('are larger than what is read at once', async () => {
    const large = Buffer.alloc(1_000_000, 'large');
    const kept = await new ArtifactWriter(store).addFile(
      { type: 'trace', name: 'trace.zip' },
      leave('trace.zip', large),
    );
    expect(kept?.bytes).toBe(large.byteLength);
    const stored = readFileSync(join(store, artifactPath(kept?.sha256 ?? '')));
    expect(stored.equals(large)).toBe(true);
  });
});

describe('what is not kept', () => {
  const tell = async (path: string) => {
    const writer = new ArtifactWriter(store);
    expect(await writer.addFile({ type: 'file', name: 'it' }, { root, path })).toBeNull();
    expect(contents()).toEqual([]);
    return writer.problems;
  };

  test('is a file elsewhere, a link to one, a folder, a pipe, and what is not there', async () => {
    const outside = leave('../secret.key').path;
    symlinkSync(outside, join(root, 'link'));
    symlinkSync(join(root, '..'), join(root, 'up'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    mkdirSync(join(root, 'folder'));
    const isOutside = ['The artifact it was not kept: it is outside the folder of the run.'];
    expect(await tell(outside)).toEqual(isOutside);
    expect(await tell(join(root, 'link'))).toEqual(isOutside);
    expect(await tell(join(root, 'up', 'secret.key'))).toEqual(isOutside);
    const isNoFile = ['The artifact it was not kept: it is no file.'];
    expect(await tell(join(root, 'pipe'))).toEqual(isNoFile);
    expect(await tell(join(root, 'folder'))).toEqual(isNoFile);
    const isMissing = ['The artifact it was not kept: the file is not there.'];
    expect(await tell(join(root, 'missing'))).toEqual(isMissing);
  });

  test('is more than a run may leave, and what is smaller is kept after it', async () => {
    const writer = new ArtifactWriter(store, { files: 2, bytes: 1024 ** 2 });
    const add = (name: string, length: number) =>
      writer.addBytes({ type: 'file', name }, Buffer.alloc(length, name));
    expect(await add('too large', 1024 ** 2 + 1)).toBeNull();
    expect(await add('a', 1_000)).not.toBeNull();
    expect(await add('too large beside it', 1024 ** 2)).toBeNull();
    expect(await add('b', 1_000)).not.toBeNull();
    expect(await add('c', 1_000)).toBeNull();
    expect(contents()).toHaveLength(2);
    expect(writer.problems).toEqual([
      'The artifact too large was not kept: all artifacts of a run may have 1 MB.',
      'The artifact too large beside it was not kept: all artifacts of a run may have 1 MB.',
      'Only the first 2 artifacts of the run were kept.',
    ]);
  });

  test.runIf(canMountDisks())('is what the disk has no room for', async () => {
    using disk = mountSmallDisk();
    disk.fill();
    const writer = new ArtifactWriter(join(disk.path, 'artifacts'));
    const kept = await writer.addBytes({ type: 'file', name: 'a' }, Buffer.alloc(100_000));
    expect(kept).toBeNull();
    expect(writer.problems).toEqual([
      'The artifact a was not kept: the disk of the data folder is full.',
    ]);
    disk.makeRoom();
    expect(await writer.addBytes({ type: 'file', name: 'a' }, PICTURE)).not.toBeNull();
  });
});

test('a file with nothing but holes in it is not written, however often it is named', async () => {
  const writer = new ArtifactWriter(store, { files: 10, bytes: 1_000 });
  const file = leave('sparse.png', 'a');
  truncateSync(file.path, 2 ** 40);
  const written = vi.spyOn(Buffer, 'allocUnsafe');
  expect(await writer.addFile({ type: 'screenshot', name: 'sparse.png' }, file)).toBeNull();
  expect(written).not.toHaveBeenCalled();
  expect(writer.problems).toEqual([
    'The artifact sparse.png was not kept: all artifacts of a run may have 0 MB.',
  ]);
});
