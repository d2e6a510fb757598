import { readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findScriptLauncher } from '#main/monitoring/script-launcher.ts';
import type { ScriptRunner } from '#shared/sandbox/script.ts';
import { createScriptHost } from '#workers/sandbox/host.ts';
import { isAlive } from '../../../../fixtures/processes.ts';
import { type StandIn, standIn } from '../../../../fixtures/script-host-programs.ts';
import { noFetch, setupTask } from '../../../../fixtures/scripts.ts';
import { CORPUS, QUICK } from './corpus.ts';
import { CLEAN, damageOf, findingsOf, leaving } from './findings.ts';
import { MARKER } from './hostile.ts';

const SNIPPETS = {
  loop: `require('./snippets/loop2.js')()`,
  loop2: `require('./snippets/loop.js')()`,
};
/** For a script that may use up its time; every other one has as long as a slow machine takes. */
const SHORT_MS = 1_000;
const LONG_MS = 20_000;
const launcher = await findScriptLauncher();

let node: StandIn | null = null;
let host: ScriptRunner & { pid(): number | null };

beforeAll(async () => {
  // The host has the marker where code that got out would look for it.
  if (process.platform !== 'win32')
    node = standIn(`MARKER='${MARKER}' exec '${process.execPath}' "$@"`);
  host = createScriptHost({ fetch: noFetch, launcher, ...(node && { nodePath: node.path }) });
  await host.run(setupTask('return 1'));
});
afterAll(async () => {
  await host.close();
  node?.remove();
});

test('there are at least sixty hostile scripts, each with a name of its own', () => {
  expect(new Set(CORPUS.map(({ name }) => name)).size).toBe(CORPUS.length);
  expect(CORPUS.length).toBeGreaterThanOrEqual(60);
});

test.skipIf(process.platform !== 'linux')('the host has the marker in its environment', () => {
  expect(readFileSync(`/proc/${host.pid()}/environ`, 'utf8')).toContain(MARKER);
});

test.skipIf(launcher.length === 0)(
  'the host has a network of its own, where it can have one',
  () => {
    const networkOf = (pid: number | null) => readlinkSync(`/proc/${pid}/ns/net`);
    expect(networkOf(host.pid())).not.toBe(networkOf(process.pid));
  },
);

describe('a hostile script ends in its own run alone, and gets nothing of the host:', () => {
  test.each(CORPUS)('$name', async (hostile) => {
    const { ends, isStuck } = hostile;
    // The last one may have taken its host with it.
    if (host.pid() === null) await host.run(setupTask(CLEAN));
    const pid = host.pid();
    const timeoutMs = [ends].flat().includes('timeout') ? SHORT_MS : LONG_MS;
    const [outcome, beside] = await Promise.all([
      host.run(setupTask(leaving(hostile), { timeoutMs, snippets: SNIPPETS })),
      host.run(setupTask(CLEAN)),
    ]);
    const after = await host.run(setupTask(CLEAN));

    const findings = findingsOf(outcome, hostile);
    expect([...findings, ...damageOf(beside), ...damageOf(after)]).toEqual([]);
    if (isStuck) await expect.poll(() => isAlive(pid)).toBe(false);
    else if (QUICK.includes(hostile)) expect(host.pid()).toBe(pid);
  });
});
