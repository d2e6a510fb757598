import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processesIn, WAYS } from '../../../fixtures/cages.ts';
import { type ProjectFiles, SuiteLab } from '../../../fixtures/suite-lab.ts';

/** The second test asks the server, which does not answer. */
const HALF_WAY: ProjectFiles = {
  'a.spec.ts': `import { test } from '@playwright/test';
test('first', async ({ page }) => { await page.setContent('<p>a</p>'); });
test('waits', async ({ page }) => { await page.goto(process.env.SITE!); });
test('never begins', () => {});`,
};

describe.each(WAYS)('a suite that is broken off half-way, %s', (_, bwrap) => {
  let lab: SuiteLab;
  let arrived: Promise<ServerResponse>;
  const server = createServer();
  beforeEach(async () => {
    arrived = new Promise((resolve) => server.once('request', (_, response) => resolve(response)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    lab = new SuiteLab(bwrap);
  });
  afterEach(async () => {
    await lab.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const start = (signal?: AbortSignal) => {
    const SITE = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return lab.run(HALF_WAY, { variables: { SITE }, ...(signal && { signal }) });
  };
  /** The folder of the run, once its second test waits. */
  const halfWay = async () => {
    await arrived;
    const [folder = ''] = foldersOfRuns(lab);
    expect(await processesIn(folder)).not.toEqual([]);
    return folder;
  };
  const tests = ({ found }: Awaited<ReturnType<typeof start>>) =>
    found.tests.map(({ title, status }) => `${title}: ${status}`);

  /** Nothing runs any more, and no folder of a run is left. */
  const expectNothingLeft = async (run: string) => {
    expect(await processesIn(run)).toEqual([]);
    expect(foldersOfRuns(lab)).toEqual([]);
  };

  test('as it is cancelled has what it found, and leaves nothing', async () => {
    const cancelling = new AbortController();
    const running = start(cancelling.signal);
    const folder = await halfWay();
    cancelling.abort();
    const result = await running;
    expect(result).toMatchObject({ hasErrors: true, hasFailures: false });
    expect(result.failure).toEqual({ cause: 'CANCELLED', message: 'The run was cancelled.' });
    expect(tests(result)).toEqual(['first: passed', 'waits: interrupted', 'never begins: skipped']);
    await expectNothingLeft(folder);
  });

  test('as the system kills it says so, blames no target, and leaves nothing', async () => {
    const running = start();
    const folder = await halfWay();
    process.kill(await playwrightOf(folder), 'SIGKILL');
    const result = await running;
    expect(result).toMatchObject({ hasErrors: true, failure: { cause: 'INTERNAL' } });
    expect(result.failure?.message).toMatch(/^The system killed the run/);
    expect(tests(result)[0]).toBe('first: passed');
    await expectNothingLeft(folder);
  });

  test('as the appliance stops is said to be lost, and leaves nothing', async () => {
    const running = start();
    const folder = await halfWay();
    await lab.cages.close(0);
    const result = await running;
    expect(result).toMatchObject({ hasErrors: true, failure: { cause: 'RUNNER_LOST' } });
    expect(await processesIn(folder)).toEqual([]);
  });
});

/** Each in one of the thread that made it. */
function foldersOfRuns({ data: { runsFolder } }: SuiteLab): string[] {
  const threads = readdirSync(runsFolder).map((thread) => join(runsFolder, thread));
  return threads.flatMap((thread) => readdirSync(thread).map((run) => join(thread, run)));
}

/** The process of a run in which Playwright runs tests by its workers. */
async function playwrightOf(run: string): Promise<number> {
  const pids = await processesIn(run);
  const found = pids.find((pid) => {
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
    return program.endsWith('node') && args.includes('test');
  });
  if (found === undefined) throw new Error('No Playwright');
  return found;
}

describe('a suite that takes too long', () => {
  test('is killed, and says how long it may take', async () => {
    const lab = new SuiteLab(null);
    const files = {
      'a.spec.ts': `import { test } from '@playwright/test';
test('computes', () => { for (;;); });`,
    };
    const result = await lab.run(files, { timeoutMs: 4_000 });
    expect(foldersOfRuns(lab)).toEqual([]);
    await lab.close();
    expect(result).toMatchObject({ hasFailures: true, failure: { cause: 'TIMEOUT_RUN' } });
    expect(result.found.errors[0]?.message).toBe(result.failure?.message);
  });
});
