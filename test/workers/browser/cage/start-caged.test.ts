import { describe, expect, test } from 'vitest';
import { cagesOf, runCaged, WAYS } from '../../../fixtures/cages.ts';

describe.each(WAYS)('a program in a cage that is %s', (_, bwrap) => {
  test('writes lines to descriptor 3, gets lines on 4, and ends as it ended', async () => {
    const cages = cagesOf({ bwrap });
    const code = `
      const { writeSync, createReadStream } = require('node:fs');
      console.log('to the log'); console.error('an error');
      writeSync(3, 'first\\nsec'); writeSync(3, 'ond\\n');
      createReadStream(null, { fd: 4 }).once('data', (text) => { writeSync(3, 'got ' + text); process.exit(7); });
    `;
    const ended = await cages.use(async ({ folder }) => {
      const lines: string[] = [];
      const log: string[] = [];
      const caged = cages.start({
        ...{ program: process.execPath, args: ['-e', code], env: {}, folder, readable: [] },
        ...{ deadlineMs: 20_000, memoryMb: 1_000, maxProcesses: 50 },
        onLine: (line) => lines.push(line),
        onLog: (stream, text) => log.push(`${stream}: ${text}`),
      });
      caged.send('a line');
      return { ...(await caged.ended), lines, log };
    });
    expect(ended).toMatchObject({ why: 'exited', code: 7 });
    expect(ended).toMatchObject({ lines: ['first', 'second', 'got a line'] });
    expect(ended).toHaveProperty(
      'log',
      expect.arrayContaining(['stdout: to the log\n', 'stderr: an error\n']),
    );
  });

  test('knows the variables that it is given and where it is, and nothing of the appliance', async () => {
    process.env.WATCHPOST_TEST_SECRET = 'not for scripts';
    const code = 'console.log(JSON.stringify({ env: process.env, cwd: process.cwd() }))';
    const { log, folder } = await runCaged(cagesOf({ bwrap }), code, { env: { GIVEN: 'yes' } });
    const { env, cwd } = JSON.parse(log);
    delete env.PWD;
    expect(cwd).toBe(folder);
    expect(env).toEqual({
      ...{ GIVEN: 'yes', HOME: folder, TMPDIR: `${folder}/t`, LANG: 'C.UTF-8' },
      ...{ PATH: process.env.PATH, WATCHPOST_RUN: `${folder}/` },
    });
  });
});
