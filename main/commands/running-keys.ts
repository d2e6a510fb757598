import { z } from 'zod';
import type { KeyStore } from './keys.ts';
import {
  answerOrNull,
  ask,
  type Instance,
  instanceOn,
  json,
  refuseFailure,
} from './running-instance.ts';

const listedKeys = z.array(
  z.object({ id: z.string(), name: z.string(), prefix: z.string(), created_at: z.string() }),
);
const createdKey = z.object({ id: z.string(), key: z.string() });

const KEYS = '/app/keys';

/**
 * The keys of the appliance that runs on a data folder. Null where none answers: `kill -9` leaves
 * the file behind, so only an answer to its token counts.
 */
export async function keysOfRunning(dataDir: string): Promise<KeyStore | null> {
  const run = await runningOn(dataDir);
  return run && keysOf(run);
}

/** The appliance that runs on a data folder and answers its token; null where none does. */
export async function runningOn(dataDir: string): Promise<Instance | null> {
  const run = await instanceOn(dataDir);
  const first = run && (await answerOrNull(ask(run, 'GET', KEYS)));
  return first?.status === 200 ? run : null;
}

/** The keys of an appliance that runs. */
export function keysOf(run: Instance): KeyStore {
  return {
    list: async () => listedKeys.parse(await json(ask(run, 'GET', KEYS))),
    create: async (name) => createdKey.parse(await json(ask(run, 'POST', KEYS, { name }))),
    revoke: async (id) => {
      const answer = await ask(run, 'DELETE', `${KEYS}/${encodeURIComponent(id)}`);
      // 400: what is no UUID is no key's id either.
      if (answer.status === 404 || answer.status === 400) return false;
      await refuseFailure(answer);
      return true;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
