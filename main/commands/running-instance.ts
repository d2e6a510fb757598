import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CommandError } from './command-error.ts';

/** What a running appliance leaves in its data folder, for its owner only. */
const runFile = z.object({ url: z.url(), adminToken: z.string().min(1) });
export type Instance = z.output<typeof runFile>;

const ANSWER_TIMEOUT_MS = 10_000;
const errorBody = z.object({ message: z.string() });

/** What is left of the appliance on a folder: it may be one that was killed. Null where there is nothing. */
export async function instanceOn(dataDir: string): Promise<Instance | null> {
  const path = join(dataDir, 'run.json');
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

/** Asks a running appliance, with its own token or with an API key. */
export function ask(
  { url, adminToken }: Instance,
  method: string,
  path: string,
  body?: object,
  key = adminToken,
): Promise<Response> {
  return fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
}

/** Null where no appliance answers: fetch throws a TypeError, or a DOMException after too long. */
export async function answerOrNull(answer: Promise<Response>): Promise<Response | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return null;
    throw error;
  }
}

/** The body of an answer. @throws CommandError where it refused, with what it said */
export async function json(asked: Promise<Response>): Promise<unknown> {
  const answer = await asked;
  await refuseFailure(answer);
  return answer.json();
}

/** @throws CommandError where it refused, with what it said */
export async function refuseFailure(answer: Response): Promise<void> {
  if (answer.ok) return;
  const { message } = errorBody.parse(await answer.json());
  throw new CommandError(`Watchpost refused (${answer.status}): ${message}`);
}
