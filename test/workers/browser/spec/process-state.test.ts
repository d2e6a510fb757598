import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(
  new URL('../../../fixtures/programs/process-states.ts', import.meta.url),
);

test.skipIf(process.platform !== 'linux')(
  'a process is as it was unless a script left something that the next run would meet',
  async () => {
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      PROGRAM,
    ]);
    expect(JSON.parse(stdout)).toEqual({
      left: null,
      stayed: [],
      found: {
        nothing: true,
        'a variable of the environment': true,
        'a package': true,
        'asking for what Node loads late': true,
        'a global': false,
        'a method of all arrays': false,
        'a function of Node in the place of another': false,
        'a listener': false,
        'a timer': false,
        'a server': false,
        'an open file': false,
        'a matcher': false,
        'a module that Node keeps': false,
      },
    });
  },
  60_000,
);
