import { writeSync } from 'node:fs';
import type { ScriptTask } from '#shared/sandbox/script.ts';
import {
  type FromHost,
  LineReader,
  type ScriptHttpResponse,
  type ToHost,
} from '#shared/sandbox/script-host.ts';
import { threadMs } from './host-time.ts';
import { Isolates } from './isolates.ts';
import { realmProgram } from './realm.ts';
import { errorOf } from './script-outcome.ts';
import { ScriptRun } from './script-run.ts';

/**
 * The script host: a process of its own, started by workers/scripts under Node's permission model
 * with an empty environment. Takes tasks on standard input, answers on standard output, and ends
 * when its runner closes the input. The runner bounds how many tasks it has at once.
 */
const RUNS_PER_ISOLATE = 200;
const memoryMb = Number(process.argv[2] ?? 64);
/** The isolates' limits do not see all memory; beyond this the process ends and is replaced. */
const maxBytes = Number(process.argv[3] ?? 1_536) * 1024 * 1024;
const WATCH_MS = 100;

const isolates = new Isolates({
  memoryMb,
  runsPerIsolate: RUNS_PER_ISOLATE,
  program: realmProgram(),
});
const runs = new Map<number, ScriptRun>();

/** Not `exit`: while an isolate computes it waits for that isolate, without end. */
function leave(): void {
  process.kill(process.pid, 'SIGKILL');
}

function say(message: FromHost): void {
  process.stdout.write(line(message));
}

function line(message: FromHost): string {
  return `${JSON.stringify(message)}\n`;
}

async function work(id: number, task: ScriptTask): Promise<void> {
  const run = new ScriptRun(task, {
    send: (call, request) => say({ type: 'fetch', id, call, request }),
    stuck: () => say({ type: 'stuck' }),
    lose: (outcome) => writeSync(1, line({ type: 'done', id, outcome })),
  });
  runs.set(id, run);
  try {
    say({ type: 'done', id, outcome: await run.run(isolates) });
  } catch (error) {
    const { request, response, env } = task;
    const told = errorOf('host', `The script host broke: ${(error as Error).message}`);
    say({
      type: 'done',
      id,
      outcome: { error: told, request, response, env, log: [], durationMs: 0 },
    });
  } finally {
    runs.delete(id);
  }
}

function receive(line: string): void {
  const from = threadMs();
  const message = JSON.parse(line) as ToHost;
  if (message.type === 'run') work(message.id, message.task);
  else if (message.type === 'stop') runs.get(message.id)?.stop();
  else {
    const text = answerText(message);
    runs.get(message.id)?.answer(message.call, text, threadMs() - from);
  }
}

function answerText({
  response,
  error,
}: {
  response?: ScriptHttpResponse;
  error?: string;
}): string {
  return JSON.stringify(response ? { response } : { error });
}

const reader = new LineReader();
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk: string) => {
  const lines = reader.push(chunk);
  if (lines === null) leave();
  else for (const line of lines) receive(line);
});
process.stdin.on('end', leave);
process.stdout.on('error', leave);
setInterval(() => {
  if (process.memoryUsage.rss() <= maxBytes) return;
  // Where it is alone, there is no doubt which script it was.
  if (runs.size === 1) for (const run of runs.values()) run.lose();
  leave();
}, WATCH_MS);
