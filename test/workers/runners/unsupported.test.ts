import { expect, test } from 'vitest';
import type { Runner } from '#workers/net/runner.ts';
import { RUNNERS } from '#workers/runners/table.ts';
import { makeCheck } from '../../fixtures/checks.ts';

test.each([['PLAYWRIGHT', 'playwrightCheckResult']] as const)(
  'a %s check ends in a result that says it cannot run yet',
  async (type, member) => {
    const run = await (RUNNERS[type] as Runner<typeof type>)({
      ...{ runId: 'run-1', check: makeCheck(type), location: 'local' },
      ...{ timeoutMs: 1_000, deniedRanges: [] },
    });
    const message = `This version of Watchpost cannot run ${type} checks yet`;
    expect(run).toMatchObject({
      ...{ runId: 'run-1', hasFailures: false, hasErrors: true, isDegraded: false },
      failure: { cause: 'UNSUPPORTED', message },
    });
    expect(JSON.parse(run.detail)).toMatchObject({ [member]: { errors: [message] } });
  },
);
