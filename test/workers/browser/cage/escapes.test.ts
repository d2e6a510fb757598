import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { killIfThere } from '#workers/browser/cage/sweep.ts';
import { BWRAP, cagesOf, runCaged, WAYS } from '../../../fixtures/cages.ts';
import { isAlive } from '../../../fixtures/processes.ts';

/** A folder as the data folder is: somewhere on this machine, named to nobody. */
function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-data-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const READS = (path: string) =>
  `console.log(require('node:fs').readFileSync(${JSON.stringify(path)}, 'utf8'))`;

/** Each prints what it got hold of. */
const ATTACKS: readonly (readonly [string, (folder: string) => string])[] = [
  ['reads the data folder', (folder) => READS(`${folder}/secret.key`)],
  [
    'finds the data folder',
    (folder) => `
    const { readdirSync } = require('node:fs');
    console.log(readdirSync(${JSON.stringify(folder)}).length === 1 && 'treasure');
  `,
  ],
  [
    'reads it through a link in its own folder',
    (folder) => `
    const { readFileSync, symlinkSync } = require('node:fs');
    symlinkSync(${JSON.stringify(folder)}, 'link');
    console.log(readFileSync('link/secret.key', 'utf8'));
  `,
  ],
  [
    "reads the appliance's environment",
    () => `
    const { readdirSync, readFileSync } = require('node:fs');
    for (const pid of readdirSync('/proc').filter(Number)) {
      if (Number(pid) === process.pid) continue;
      try { if (readFileSync('/proc/' + pid + '/environ', 'utf8').includes('NODE_ENV')) console.log('treasure'); } catch {}
    }
  `,
  ],
  [
    "reads the environment of its parent's parent",
    () => `
    const { readFileSync } = require('node:fs');
    console.log(readFileSync('/proc/' + process.ppid + '/environ', 'utf8').length > 0 && 'treasure');
  `,
  ],
  [
    'reads a file through the root of its parent',
    (folder) =>
      READS(`/proc/__PARENT__${folder}/secret.key`).replace(
        '"/proc/__PARENT__',
        `'/proc/' + process.ppid + "/root`,
      ),
  ],
  [
    'kills a process that is not its own',
    () => `
    try { process.kill(Number(process.env.VICTIM), 0); console.log('treasure'); } catch {}
  `,
  ],
];

describe.each(ATTACKS)('a script that %s', (_, attack) => {
  const tried = async (bwrap: string | null) => {
    const folder = dataFolder();
    await writeFile(join(folder, 'secret.key'), 'treasure');
    const env = { VICTIM: `${process.pid}` };
    return (await runCaged(cagesOf({ bwrap }), attack(folder), { env })).log;
  };

  test.skipIf(process.platform !== 'linux')('gets it from an open cage', async () => {
    expect(await tried(null)).toContain('treasure');
  });

  test.skipIf(BWRAP === null)('gets nothing from a closed one (needs bubblewrap)', async () => {
    expect(await tried(BWRAP)).not.toContain('treasure');
  });
});

describe('a script that writes', () => {
  const writes = (folder: string) => `
    const { writeFileSync } = require('node:fs');
    for (const path of ['own', ${JSON.stringify(folder)} + '/other', '/usr/share/other', '/dev/other', '/other']) {
      try { writeFileSync(path, 'x'); console.log('wrote ' + path); require('node:fs').rmSync(path.startsWith('/') ? path : 'none', { force: true }); } catch {}
    }
  `;

  test('outside its folder does so from an open cage', async () => {
    const folder = dataFolder();
    const { log } = await runCaged(cagesOf(), writes(folder));
    expect(log).toContain(`wrote ${folder}/other`);
  });

  test.skipIf(BWRAP === null)(
    'can in a closed one only in its own (needs bubblewrap)',
    async () => {
      const { log } = await runCaged(cagesOf({ bwrap: BWRAP }), writes(dataFolder()));
      expect(log).toBe('wrote own\n');
    },
  );
});

/** Starts a process of a process that leaves the group, its parents gone, and tells its number. */
const daemon = (options: string) => `
  const { spawn } = require('node:child_process');
  const last = 'setInterval(() => {}, 1_000)';
  const middle = \`
    const child = require('node:child_process').spawn(process.execPath, ['-e', '\${last}'],
      { detached: true, stdio: 'ignore'\${${JSON.stringify(options)}} });
    console.log(child.pid);
    child.unref();
  \`;
  spawn(process.execPath, ['-e', middle], { detached: true, stdio: 'inherit'${options} });
`;

describe.each(WAYS)('from a cage that is %s', (_, bwrap) => {
  test('a process that leaves its group and its parents ends with the run', async () => {
    const { why, log, left } = await runCaged(cagesOf({ bwrap }), daemon(''));
    expect(Number(log)).toBeGreaterThan(0);
    expect({ why, left }).toEqual({ why: 'exited', left: [] });
  });

  test('one that takes off its mark too ends with the run where it is closed', async () => {
    const { log } = await runCaged(cagesOf({ bwrap }), daemon(`, cwd: '/', env: {}`));
    if (bwrap !== null) return;
    const pid = Number(log);
    // Without namespaces nothing tells it from others, which is why bubblewrap is wanted.
    expect(isAlive(pid)).toBe(true);
    killIfThere(pid);
  });
});

test('the folder of a run is gone after it, whatever is in it', async () => {
  const code = `
    const { chmodSync, mkdirSync, writeFileSync } = require('node:fs');
    mkdirSync('locked'); writeFileSync('locked/file', ''); chmodSync('locked', 0);
  `;
  const { folder } = await runCaged(cagesOf(), code);
  await expect(readFile(folder)).rejects.toMatchObject({ code: 'ENOENT' });
});
