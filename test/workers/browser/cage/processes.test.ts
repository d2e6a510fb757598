import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freeMemory } from '#workers/browser/cage/free-memory.ts';
import { ownProcesses, type ProcessSource, PS } from '#workers/browser/cage/processes.ts';
import { removeFolder } from '#workers/browser/cage/run-folders.ts';

const SOURCES: readonly (readonly [string, ProcessSource])[] = [
  ...(process.platform === 'linux' ? [['/proc', ownProcesses('linux')] as const] : []),
  ...(process.platform === 'win32' ? [] : [['ps', PS] as const]),
];

describe.each(SOURCES)('processes as %s shows them', (_, source) => {
  test('have a parent, a group, memory and a mark', async () => {
    const code = `const kept = Buffer.alloc(100e6, 1); console.log('ready'); setInterval(() => kept.length, 1_000)`;
    const env = { WATCHPOST_RUN: '/tmp/wp-here/r1/' };
    const child = spawn(process.execPath, ['-e', code], { env, detached: true, cwd: '/' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    const pid = child.pid ?? 0;
    const rows = await source.list();
    expect(rows.find((row) => row.pid === pid)).toMatchObject({ parent: process.pid, group: pid });
    const { bytes, isOver } = await source.memoryOf([pid], 1e9);
    expect([bytes > 100e6 && bytes < 300e6, isOver]).toEqual([true, false]);
    expect(await source.memoryOf([pid], 90e6)).toMatchObject({ isOver: true });
    expect(await source.ofRun('/tmp/wp-here/r1')).toEqual([pid]);
    expect(await source.ofRun('/tmp/wp-here')).toEqual([pid]);
    expect(await source.ofRun('/tmp/wp-here/r')).toEqual([]);
  });

  test('are found beside one whose folder is too deep to be named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wp-deep-'));
    onTestFinished(() => removeFolder(folder));
    const code = `for (let n = 0; n < 1_200; n++) { require('node:fs').mkdirSync('dddd'); process.chdir('dddd'); }
      console.log('ready'); setInterval(() => {}, 1_000)`;
    const env = { WATCHPOST_RUN: `${folder}/` };
    const child = spawn(process.execPath, ['-e', code], { env, cwd: folder });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    expect(await source.ofRun(folder)).toEqual([child.pid]);
    expect(await source.ofRun('/tmp/wp-elsewhere')).toEqual([]);
  });
});

describe('the memory that is free', () => {
  const MEMINFO = 'MemTotal: 8000000 kB\nMemFree: 100 kB\nMemAvailable:    4000000 kB\n';
  const of = (files: Record<string, string>) =>
    freeMemory((path) => files[path.replace('/sys/fs/cgroup/', '')] ?? '');

  test.each([
    ['of a machine', {}, 4_096_000_000],
    ['of a container', { 'memory.max': '3000\n', 'memory.current': '1000\n' }, 2_000],
    [
      'counts what files left in memory',
      {
        'memory.max': '3000\n',
        'memory.current': '2900\n',
        'memory.stat': 'anon 1\ninactive_file 500\n',
      },
      600,
    ],
    [
      'of a container without a limit',
      { 'memory.max': 'max\n', 'memory.current': '5\n' },
      4_096_000_000,
    ],
  ])('%s', (_, files, expected) => {
    expect(of({ '/proc/meminfo': MEMINFO, ...files })).toBe(expected);
  });

  test('is known on every system', () => {
    expect(freeMemory()).toBeGreaterThan(0);
    expect(freeMemory(() => '')).toBeGreaterThan(0);
  });
});
