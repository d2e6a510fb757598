import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScriptOutcome, ScriptTask } from '#shared/sandbox/script.ts';
import type { FromHost } from '#shared/sandbox/script-host.ts';
import { startChild } from '#workers/sandbox/host-process.ts';
import { startServer, type TestServer } from '../../../../fixtures/net/servers.ts';
import { type StandIn, standIn } from '../../../../fixtures/script-host-programs.ts';
import { setupTask } from '../../../../fixtures/scripts.ts';
import { CORPUS } from './corpus.ts';
import { CLEAN, damageOf, findingsOf, leaving, shownOf } from './findings.ts';
import { type Hostile, MARKER } from './hostile.ts';

/** How long a script is waited for that an open host may never end. Whether it does proves nothing. */
const SHORT_MS = 300;
/** One that reaches for the host is waited for, on however busy a machine. */
const LONG_MS = 60_000;
/** Where a limit of memory is known: a script here has no other. */
const MAX_DATA_KB = 2_000_000;
const PROGRAM = fileURLToPath(
  new URL('../../../../fixtures/programs/open-script-host.cjs', import.meta.url),
);

let node: StandIn;
let server: TestServer;

beforeAll(async () => {
  node = standIn(
    'ulimit -c 0',
    `ulimit -d ${MAX_DATA_KB} 2>/dev/null`,
    `MARKER='${MARKER}' exec '${process.execPath}' '${PROGRAM}'`,
  );
  server = await startServer((socket) => socket.end(MARKER));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  node.remove();
});

/** What came of a script: its outcome, or that its host ended, or that neither came in time. */
type Answer = ScriptOutcome | 'ended' | 'silent';

/** A host in which nothing is kept apart. */
function openHost() {
  const waiting = new Map<number, (answer: Answer) => void>();
  const child = startChild({
    nodePath: node.path,
    launcher: [],
    memoryMb: 64,
    maxMb: 1_536,
    isLowPriority: false,
    onMessage: (message: FromHost) => {
      if (message.type === 'done') waiting.get(message.id)?.(message.outcome);
    },
    onExit: () => {
      for (const answer of waiting.values()) answer('ended');
    },
  });
  let lastId = 0;
  const run = (task: ScriptTask, waitMs: number): Promise<Answer> => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const id = ++lastId;
    waiting.set(id, resolve);
    const timer = setTimeout(() => resolve('silent'), waitMs);
    child.send({ type: 'run', id, task });
    return promise.finally(() => clearTimeout(timer));
  };
  const close = async () => {
    child.kill();
    await child.exited;
  };
  return { run, [Symbol.asyncDispose]: close };
}

/** What shows that a host let a script out. */
async function findingsInOpenHost(hostile: Hostile): Promise<string[]> {
  await using host = openHost();
  const env = { GREETING: 'hello', PORT: `${server.port}` };
  expect(damageIn(await host.run(setupTask(CLEAN), LONG_MS))).toEqual([]);
  const waitMs = hostile.reaches ? LONG_MS : SHORT_MS;
  const outcome = await host.run(setupTask(leaving(hostile), { env }), waitMs);
  if (outcome === 'ended') return ['its host ends'];
  if (hostile.reaches) return outcome === 'silent' ? [] : shownOf(outcome);
  if (outcome === 'silent') return ['its host stalls'];
  return [...findingsOf(outcome, hostile), ...damageIn(await host.run(setupTask(CLEAN), SHORT_MS))];
}

function damageIn(answer: Answer): string[] {
  return typeof answer === 'string'
    ? [`another script finds its host ${answer}`]
    : damageOf(answer);
}

/** So that a corpus that cannot see an escape is seen itself. */
describe.skipIf(process.platform === 'win32')('in a host with every door open is noticed:', () => {
  test.concurrent.each(CORPUS)('$name', async (hostile) => {
    expect(await findingsInOpenHost(hostile)).not.toEqual([]);
  });
});
