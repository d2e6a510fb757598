import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findBubblewrap } from '#main/monitoring/find-bubblewrap.ts';
import { bwrapArgs } from '#shared/sandbox/bubblewrap.ts';

/** A folder with a `bwrap` of these lines in it. */
async function folderWith(lines: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'watchpost-bwrap-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'bwrap'), `#!/bin/sh\n${lines}\n`, { mode: 0o700 });
  return folder;
}

describe.skipIf(process.platform === 'win32')('bubblewrap', () => {
  test('is found where it works, and tried with what runs are started with', async () => {
    const folder = await folderWith('echo "$@" > "$0.args"');
    expect(await findBubblewrap('prefer', folder, 'linux')).toBe(join(folder, 'bwrap'));
    expect(await findBubblewrap('require', folder, 'linux')).toBe(join(folder, 'bwrap'));
    const args = await readFile(join(folder, 'bwrap.args'), 'utf8');
    for (const option of ['--die-with-parent', '--as-pid-1', '--size', '--remount-ro']) {
      expect(args).toContain(option);
    }
  });

  test('is none where it is forbidden or not there, on other systems, and where nobody wants it', async () => {
    expect(await findBubblewrap('prefer', await folderWith('exit 1'), 'linux')).toBeNull();
    expect(await findBubblewrap('prefer', '/nowhere', 'linux')).toBeNull();
    expect(await findBubblewrap('prefer', await folderWith('exit 0'), 'darwin')).toBeNull();
    expect(await findBubblewrap('off', await folderWith('exit 0'), 'linux')).toBeNull();
  });
});

test('a folder of a run is writable also where it lies in a readable one', () => {
  const args = bwrapArgs({
    ...{ program: '/opt/node', args: ['-e', '1'], folder: '/tmp/a/r', readable: ['/tmp/a'] },
    writable: ['/tmp/b'],
  });
  const text = args.join(' ');
  const order = ['--tmpfs /tmp', '--ro-bind-try /tmp/a /tmp/a', '--bind /tmp/a/r /tmp/a/r'];
  const places = [...order, '--bind /tmp/b /tmp/b', '--remount-ro /', '-- /opt/node -e 1'];
  const found = places.map((place) => text.indexOf(place));
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(found).not.toContain(-1);
});
