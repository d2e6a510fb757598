import { describe, expect, test } from 'vitest';
import { cagesOf, runCaged, WAYS } from '../../../fixtures/cages.ts';

/** Starts 300 processes that stay, none of which a SIGTERM ends. */
const FORK_BOMB = `
  const { spawn } = require('node:child_process');
  for (let n = 0; n < 300; n++) spawn('/bin/sh', ['-c', 'trap "" TERM; sleep 60; true']).on('error', () => {});
  setInterval(() => {}, 1_000);
`;
/** Starts 150 that leave their group and their parents at once. */
const FORK_BOMB_IN_DISGUISE = `
  const { spawn } = require('node:child_process');
  for (let n = 0; n < 150; n++) spawn('/bin/sh', ['-c', 'setsid sleep 60 &'], { detached: true }).on('error', () => {});
  setInterval(() => {}, 1_000);
`;
const EATER = `
  const kept = [];
  setInterval(() => { if (kept.length < 40) kept.push(Buffer.alloc(20e6, 1)); }, 10);
`;
/** Each of three takes half of what they may take together. */
const EATERS = `
  const { spawn } = require('node:child_process');
  const code = 'const kept = Buffer.alloc(100e6, 1); setInterval(() => kept.length, 1_000);';
  for (let n = 0; n < 3; n++) spawn(process.execPath, ['-e', code]);
  setInterval(() => {}, 1_000);
`;
const STUBBORN = `
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
  setInterval(() => {}, 1_000);
`;
const WRITER = `
  const { appendFileSync } = require('node:fs');
  setInterval(() => appendFileSync('large', Buffer.alloc(1e6)), 10);
`;
/** Its folders lie deeper than a path may say, which each of their names does not. */
const DIGGER = `
  const { mkdirSync } = require('node:fs');
  for (let n = 0; n < 1_200; n++) { mkdirSync('dddd'); process.chdir('dddd'); }
  setInterval(() => {}, 1_000);
`;
const TALKER = `
  const { writeSync } = require('node:fs');
  for (;;) writeSync(3, 'x'.repeat(1e6));
`;

describe.each(WAYS)('in a cage that is %s, is killed and leaves nothing', (_, bwrap) => {
  test.each([
    ['a fork bomb', FORK_BOMB, 'processes', { maxProcesses: 100 }],
    ['one whose processes leave it', FORK_BOMB_IN_DISGUISE, 'processes', { maxProcesses: 100 }],
    ['an eater of memory', EATER, 'memory', { memoryMb: 300 }],
    ['one that eats in several processes', EATERS, 'memory', { memoryMb: 300 }],
    ['one that heeds no signal', STUBBORN, 'deadline', { deadlineMs: 500 }],
    ['one that fills the disk', WRITER, 'disk', { maxFolderMb: 20 }],
    ['one that digs', DIGGER, 'disk', {}],
    ['one that talks without end', TALKER, 'output', {}],
  ])('%s', async (_, code, why, limits) => {
    const cages = cagesOf({ bwrap });
    expect(await runCaged(cages, code, limits)).toMatchObject({ why, left: [] });
    // The thread goes on: the next run is as any other.
    expect(await runCaged(cages, 'console.log(1)')).toMatchObject({ why: 'exited', log: '1\n' });
  });

  test('nobody who stays within the limits, and what it used is told', async () => {
    const code = `const kept = Buffer.alloc(100e6, 1); setTimeout(() => kept.length, 700);`;
    const { why, code: exitCode, peakBytes } = await runCaged(cagesOf({ bwrap }), code);
    expect([why, exitCode]).toEqual(['exited', 0]);
    expect(peakBytes).toBeGreaterThan(100e6);
    expect(peakBytes).toBeLessThan(250e6);
  });
});
