import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScriptRunner } from '#shared/run/script.ts';
import { createScriptHost } from '#workers/scripts/host.ts';
import { isAlive } from '../../fixtures/processes.ts';
import { noFetch, setupTask } from '../../fixtures/scripts.ts';
import { CORPUS, MARKER, QUICK } from './corpus.ts';

const SNIPPETS = {
  loop: `require('./snippets/loop2.js')()`,
  loop2: `require('./snippets/loop.js')()`,
};
const LIMIT_MS = 1_000;
const CLEAN = `request.headers.clean = [typeof leaked, process.env.GREETING, [1, 2].join(), JSON.stringify({ a: 1 })].join(';'); console.log('clean');`;

let host: ScriptRunner & { pid(): number | null };

beforeAll(async () => {
  process.env.MARKER = MARKER;
  host = createScriptHost({ fetch: noFetch, nodePath: process.execPath });
  await host.run(setupTask('return 1'));
});
afterAll(async () => {
  await host.close();
  delete process.env.MARKER;
});

test('there are at least sixty hostile scripts, each with a name of its own', () => {
  expect(new Set(CORPUS.map(({ name }) => name)).size).toBe(CORPUS.length);
  expect(CORPUS.length).toBeGreaterThanOrEqual(60);
});

describe('a hostile script ends in its own run alone, and gets nothing of the host:', () => {
  test.each(CORPUS)('$name', async (hostile) => {
    const { code, ends, endsHost, isStuck } = hostile;
    // The last one may have taken its host with it.
    if (host.pid() === null) await host.run(setupTask(CLEAN));
    const pid = host.pid();
    const leaving = `globalThis.leaked = Object.prototype.leaked = 1; ${code}`;
    const [outcome, beside] = await Promise.all([
      host.run(setupTask(leaving, { timeoutMs: endsHost ? 10_000 : LIMIT_MS, snippets: SNIPPETS })),
      host.run(setupTask(CLEAN)),
    ]);
    const after = await host.run(setupTask(CLEAN));

    expect([ends].flat()).toContain(outcome.error?.kind ?? null);
    const shown = JSON.stringify(outcome);
    expect(shown).not.toContain(MARKER);
    expect(shown).not.toContain('root:');
    expect(shown).not.toContain(process.cwd());
    expect(outcome.log.length).toBeLessThanOrEqual(1_001);
    for (const { error, request } of [beside, after]) {
      expect(error).toBeNull();
      expect(request.headers.clean).toBe('undefined;hello;1,2;{"a":1}');
    }
    if (isStuck) await expect.poll(() => isAlive(pid)).toBe(false);
    else if (QUICK.includes(hostile)) expect(host.pid()).toBe(pid);
  });
});
