import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CommandError } from './command-error.ts';
import type { KeyStore } from './keys.ts';

/** What a running appliance leaves in its data folder, for its owner only. */
const runFile = z.object({ url: z.url(), adminToken: z.string().min(1) });
type RunFile = z.output<typeof runFile>;

const listedKeys = z.array(
  z.object({ id: z.string(), name: z.string(), prefix: z.string(), created_at: z.string() }),
);
const createdKey = z.object({ id: z.string(), key: z.string() });
const errorBody = z.object({ message: z.string() });

const ANSWER_TIMEOUT_MS = 10_000;

/**
 * The keys of the appliance that runs on a data folder. Null where none answers: `kill -9` leaves
 * the file behind, so only an answer to its token counts.
 */
export async function keysOfRunning(dataDir: string): Promise<KeyStore | null> {
  const run = await readRunFile(join(dataDir, 'run.json'));
  if (run === null) return null;
  const first = await answerOrNull(ask(run, 'GET'));
  if (first?.status !== 200) return null;
  return {
    list: async () => listedKeys.parse(await json(ask(run, 'GET'))),
    create: async (name) => createdKey.parse(await json(ask(run, 'POST', '', { name }))),
    revoke: async (id) => {
      const answer = await ask(run, 'DELETE', `/${encodeURIComponent(id)}`);
      // 400: what is no UUID is no key's id either.
      if (answer.status === 404 || answer.status === 400) return false;
      await refuseFailure(answer);
      return true;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

async function readRunFile(path: string): Promise<RunFile | null> {
  try {
    return runFile.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isNone = code === 'ENOENT' || code === 'ENOTDIR';
    // A file that is half written is of an appliance that was killed: none answers.
    const isBroken = error instanceof SyntaxError || error instanceof z.ZodError;
    if (isNone || isBroken) return null;
    if (code === undefined) throw error;
    throw new CommandError(`${path} cannot be read (${code})`, { cause: error });
  }
}

function ask(run: RunFile, method: string, path = '', body?: object): Promise<Response> {
  return fetch(`${run.url}/app/keys${path}`, {
    method,
    headers: { authorization: `Bearer ${run.adminToken}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
}

/** Null where no appliance answers: fetch throws a TypeError, or a DOMException after too long. */
async function answerOrNull(answer: Promise<Response>): Promise<Response | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return null;
    throw error;
  }
}

async function json(asked: Promise<Response>): Promise<unknown> {
  const answer = await asked;
  await refuseFailure(answer);
  return answer.json();
}

async function refuseFailure(answer: Response): Promise<void> {
  if (answer.ok) return;
  const { message } = errorBody.parse(await answer.json());
  throw new CommandError(`Watchpost refused (${answer.status}): ${message}`);
}
