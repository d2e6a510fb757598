import { flushCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { internalFailure } from '#shared/runs/internal-failure.ts';
import {
  type FromThread,
  RUNNER_POOLS,
  type RunRequest,
  type RunResult,
  type ToThread,
} from '#shared/runs/protocol.ts';
import { MAX_MESSAGE_CHARS, Mask } from './masking/mask.ts';
import { SecretForms } from './masking/secret-forms.ts';
import { Slots } from './net/slots.ts';
import { PulseSender } from './pulse-sender.ts';
import { RUNNERS } from './runners/table.ts';

/**
 * The entry of a runner thread. Runs come in batches; every result is posted on its own as soon as it is
 * there, a few milliseconds' worth in one message, because handing over costs as much as a small run.
 */
parentPort?.on('message', (message: ToThread) => {
  if (message === 'reap') void orTrouble(reap());
  else if (message === 'endRuns') void orTrouble(endRuns());
  else if ('cancel' in message) underWay.get(message.cancel)?.abort();
  else void pulses.during(() => Promise.all(message.runs.map((request) => during(request))));
});

/** Ends and removes what runs of browsers left when an earlier thread, or the appliance, crashed. */
async function reap(): Promise<void> {
  const { OWN_CAGES } = await import('./browser/cage/own-cages.ts');
  await OWN_CAGES?.reap();
}

/** Ends the runs of browsers, which take minutes, as the appliance stops; within seconds. */
async function endRuns(): Promise<void> {
  const { OWN_CAGES } = await import('./browser/cage/own-cages.ts');
  await OWN_CAGES?.close();
  send({ ended: true });
}

async function orTrouble(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    send({ trouble: String(error) });
  }
}

// A thread of a process that is killed would never write what it compiled.
flushCompileCache();

/** Runs that one thread has under way at once; more wait their turn. Bounds sockets and memory. */
const MAX_CONCURRENT_RUNS = 2_000;
/** Nobody waits for a result within so short a time, and each message wakes another thread. */
const POST_DELAY_MS = 20;

const slots = new Slots(MAX_CONCURRENT_RUNS);
const pulses = new PulseSender((pulse) => send({ pulse }));
let outgoing: RunResult[] = [];

/** The runs of this thread that take minutes, also those that wait. */
const underWay = new Map<string, AbortController>();

async function during(request: RunRequest): Promise<void> {
  if (RUNNER_POOLS[request.check.checkType] === 'network') return inTurn(request);
  const controller = new AbortController();
  underWay.set(request.runId, controller);
  try {
    await inTurn(request, controller.signal);
  } finally {
    underWay.delete(request.runId);
  }
}

function inTurn(request: RunRequest, signal?: AbortSignal): Promise<void> {
  return slots.use(async () => post(await run(request, signal)));
}

function post(result: RunResult): void {
  if (outgoing.push(result) === 1) setTimeout(flush, POST_DELAY_MS);
}

function flush(): void {
  send({ results: outgoing });
  outgoing = [];
}

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}

/** Of the type that its requests have. */
type AnyRunner = (request: RunRequest, signal?: AbortSignal) => Promise<RunResult>;

async function run(request: RunRequest, signal?: AbortSignal): Promise<RunResult> {
  const runner = RUNNERS[request.check.checkType] as AnyRunner;
  try {
    return await runner(request, signal);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const mask = new Mask({ values: request.secrets ?? [] }, new SecretForms());
    const message = mask.start(`The runner failed: ${reason}`, MAX_MESSAGE_CHARS);
    return internalFailure(request, Date.now(), 'INTERNAL', message);
  }
}
