import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ScriptRunner } from '#shared/sandbox/script.ts';
import { SCRIPTS_AT_ONCE } from '#shared/sandbox/script-host.ts';
import { createScriptHost } from '#workers/sandbox/host.ts';
import { isAlive } from '../../fixtures/processes.ts';
import { standIn } from '../../fixtures/script-host-programs.ts';
import { noFetch, setupTask } from '../../fixtures/scripts.ts';

const CLEAN = `request.body = 'clean'`;

/** Signals a process, unless there is none. */
function signal(pid: number | null, name: NodeJS.Signals): void {
  if (pid !== null && isAlive(pid)) process.kill(pid, name);
}

/** A host whose process has begun. */
async function startHost(options = {}) {
  const host = createScriptHost({ fetch: noFetch, ...options });
  await host.run(setupTask(CLEAN));
  const pid = host.pid();
  if (pid === null) throw new Error('The host did not start');
  return { host, pid, [Symbol.asyncDispose]: () => host.close() };
}

test('no process is started before the first script', async () => {
  const host = createScriptHost({ fetch: noFetch });
  expect(host.pid()).toBeNull();
  await host.close();
});

test('a host that hangs is killed: the script that overstayed is timed out, the next one runs', async () => {
  await using started = await startHost();
  process.kill(started.pid, 'SIGSTOP');
  const { error } = await started.host.run(setupTask('return 1', { timeoutMs: 100 }));
  expect(error).toMatchObject({ kind: 'timeout', message: 'The script did not finish in 100 ms' });
  expect((await started.host.run(setupTask(CLEAN))).request.body).toBe('clean');
  expect(started.host.pid()).not.toBe(started.pid);
});

test.skipIf(process.platform === 'win32')(
  'a host that takes seconds to start is no fault of its script',
  async () => {
    const program = standIn('sleep 4', `exec ${process.execPath} "$@"`);
    onTestFinished(() => program.remove());
    const host = createScriptHost({ fetch: noFetch, nodePath: program.path });
    onTestFinished(() => host.close());
    const { error, request } = await host.run(setupTask(CLEAN, { timeoutMs: 2_000 }));
    expect(error ?? request.body).toBe('clean');
  },
);

test('where a host hangs with several scripts in it, nobody is blamed: each runs again', async () => {
  await using started = await startHost();
  process.kill(started.pid, 'SIGSTOP');
  const outcomes = await Promise.all(
    Array.from({ length: 3 }, (_, n) =>
      started.host.run(setupTask(`${CLEAN} // ${n}`, { timeoutMs: 5_000 + n })),
    ),
  );
  expect(outcomes.map(({ error, request }) => error ?? request.body)).toEqual(
    outcomes.map(() => 'clean'),
  );
});

test('a script whose host dies begins anew where it has reached nothing yet', async () => {
  await using started = await startHost();
  const running = started.host.run(
    setupTask(`await new Promise((ok) => setTimeout(ok, 50)); ${CLEAN}`),
  );
  process.kill(started.pid, 'SIGKILL');
  expect(await running).toMatchObject({ error: null, request: { body: 'clean' } });
});

test('a script whose host dies after a request is our own trouble, and is not repeated', async () => {
  const asked = Promise.withResolvers<void>();
  let requests = 0;
  const fetch = async () => {
    requests++;
    asked.resolve();
    return { error: 'nobody' };
  };
  await using started = await startHost({ fetch });
  const running = started.host.run(
    setupTask(
      `await fetch('http://a.test').catch(() => 0); await new Promise((ok) => setTimeout(ok, 4000))`,
    ),
  );
  await asked.promise;
  process.kill(started.pid, 'SIGKILL');
  expect((await running).error?.kind).toBe('host');
  expect(requests).toBe(1);
});

test('a host without work ends after its time, and the next script has another one', async () => {
  await using started = await startHost({ idleMs: 1 });
  await expect.poll(() => isAlive(started.pid)).toBe(false);
  expect((await started.host.run(setupTask(CLEAN))).error).toBeNull();
});

test('a host that takes more memory than it may ends, with the script that is alone in it', async () => {
  const small = { maxMb: 256, atOnce: 1 };
  const memory = { main: small, slow: small, careful: small };
  await using started = await startHost({ memory, memoryMb: 1_024 });
  const fill = `const all = []; for (let i = 0; i < 400; i++) all.push(('x'.repeat(1e6) + i).charCodeAt(1e6) + 'x'.repeat(1e6).toUpperCase());`;
  const code = `${fill} await new Promise((ok) => setTimeout(ok, 15_000)); return all`;
  const { error } = await started.host.run(setupTask(code));
  expect(error?.kind).toBe('memory');
  await expect.poll(() => isAlive(started.pid)).toBe(false);
});

describe.skipIf(process.platform === 'win32')('what a host is started with', () => {
  /** A program that keeps what it is given, and becomes another. */
  const programThat = (keeps: string, becomes: string) => {
    const program = standIn(`${keeps} > "$0.kept"`, `exec ${becomes} "$@"`);
    onTestFinished(program.remove);
    return { program: program.path, kept: () => readFile(`${program.path}.kept`, 'utf8') };
  };

  test('is nothing of the environment of its owner', async () => {
    vi.stubEnv('WATCHPOST_API_KEY', 'secret-of-the-owner');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { program, kept } = programThat('env', process.execPath);
    await using _started = await startHost({ nodePath: program });
    const names = (await kept()).split('\n').map((line) => line.split('=')[0] ?? '');
    // What a shell sets by itself.
    expect(names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_', ''].includes(name))).toEqual([]);
  });

  test('is the launcher, which becomes the host', async () => {
    const { program, kept } = programThat('echo $$', '');
    await using started = await startHost({ launcher: [program] });
    expect(Number(await kept())).toBe(started.pid);
    await started.host.close();
    expect(isAlive(started.pid)).toBe(false);
  });
});

test('a script that was lost with its host runs alone the next time', async () => {
  const asked = Promise.withResolvers<void>();
  const fetch = async () => {
    asked.resolve();
    return { error: 'nobody' };
  };
  await using started = await startHost({ fetch });
  const code = `if (process.env.WAIT) { await fetch('http://a.test').catch(() => 0); await new Promise((ok) => setTimeout(ok, 15000)) } ${CLEAN}`;
  const lost = started.host.run(setupTask(code, { env: { WAIT: '1' } }));
  await asked.promise;
  process.kill(started.pid, 'SIGKILL');
  expect((await lost).error?.kind).toBe('host');
  await started.host.run(setupTask(`${CLEAN} // another`));
  const pid = started.host.pid();
  signal(pid, 'SIGSTOP');
  expect(await started.host.run(setupTask(code))).toMatchObject({ error: null });
  signal(pid, 'SIGCONT');
});

describe('no script waits for one that loops', () => {
  const loops = (host: ScriptRunner, count: number) =>
    Array.from({ length: count }, (_, n) =>
      host.run(setupTask(`for (;;) ${n}`, { timeoutMs: 60_000 })),
    );

  test('also where as many loop as a host works on at once', async () => {
    await using started = await startHost();
    let ended = 0;
    const looping = loops(started.host, SCRIPTS_AT_ONCE).map((one) => one.finally(() => ended++));
    const innocent = await Promise.all(
      Array.from({ length: 5 }, () => started.host.run(setupTask(CLEAN))),
    );
    expect(innocent.map(({ error }) => error)).toEqual(innocent.map(() => null));
    expect(ended).toBe(0);
    await started.host.close();
    await Promise.all(looping);
  });

  test('and one that once used up its time has a host of its own', async () => {
    await using started = await startHost();
    const code = `if (process.env.LOOP) for (;;) {}`;
    const run = (env: Record<string, string>, timeoutMs: number) =>
      started.host.run(setupTask(code, { env, timeoutMs }));
    expect((await run({ LOOP: '1' }, 500)).error?.kind).toBe('timeout');
    // On a busy machine the loop may have taken its host with it, and another one is there.
    const pid = started.host.pid();
    signal(pid, 'SIGSTOP');
    expect((await run({}, 20_000)).error).toBeNull();
    signal(pid, 'SIGCONT');
  });
});

test('a script beside one that brings its host down again and again still runs', async () => {
  await using started = await startHost();
  const bomb = `const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })`;
  const bombs = Array.from({ length: 2 }, (_, n) => started.host.run(setupTask(`${bomb} // ${n}`)));
  const innocent = started.host.run(
    setupTask(`await new Promise((ok) => setTimeout(ok, 300)); ${CLEAN}`),
  );
  expect(await innocent).toMatchObject({ error: null, request: { body: 'clean' } });
  const kinds = (await Promise.all(bombs)).map(({ error }) => error?.kind);
  for (const kind of kinds) expect(['memory', 'timeout']).toContain(kind);
});

test('a host that cannot start ends each script as our own trouble, within its time', async () => {
  const host = createScriptHost({ fetch: noFetch, nodePath: '/nowhere/node' });
  const outcomes = await Promise.all(
    Array.from({ length: 3 }, () => host.run(setupTask(CLEAN, { timeoutMs: 300 }))),
  );
  expect(outcomes.map(({ error }) => error?.kind)).toEqual(['host', 'host', 'host']);
  await host.close();
});

test.skipIf(process.platform === 'win32')(
  'a host that no file descriptor is left for is our own trouble, until there are some again',
  async () => {
    const program = fileURLToPath(
      new URL('../../fixtures/script-host-without-descriptors.ts', import.meta.url),
    );
    const command = `ulimit -n 100; exec "${process.execPath}" "${program}"`;
    const owner = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
    const said = (await owner.stdout.toArray()).join('');
    expect(JSON.parse(said)).toEqual(['host', null]);
  },
);

test('more scripts than one host works on at once all have their turn', async () => {
  await using started = await startHost();
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, n) => started.host.run(setupTask(`request.body = '${n}'`))),
  );
  expect(outcomes.map(({ request }) => request.body)).toEqual(outcomes.map((_, n) => `${n}`));
});

test('a queue that is full refuses', async () => {
  await using started = await startHost({ maxWaiting: 1 });
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => started.host.run(setupTask(CLEAN))),
  );
  const refused = outcomes.filter(({ error }) => error !== null);
  expect(refused.length).toBeGreaterThan(0);
  expect(new Set(refused.map(({ error }) => error?.kind))).toEqual(new Set(['host']));
});

test('closing ends the process and whatever runs in it', async () => {
  const { host, pid } = await startHost();
  const running = host.run(setupTask('for (;;) {}'));
  await host.close();
  expect((await running).error?.kind).toBe('host');
  expect(() => process.kill(pid, 0)).toThrow();
  expect((await host.run(setupTask(CLEAN))).error?.kind).toBe('host');
});

test('a host whose owner is killed ends, also while a script loops in it', async () => {
  const program = fileURLToPath(new URL('../../fixtures/script-host-owner.ts', import.meta.url));
  const owner = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(owner.stdout, 'data');
  const pid = Number(line);
  expect(pid).toBeGreaterThan(0);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  await expect.poll(() => isAlive(pid)).toBe(false);
});
