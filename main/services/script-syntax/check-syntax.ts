import { Worker } from 'node:worker_threads';
import type { ScriptVerdict } from '#shared/sandbox/script-verdict.ts';
import type { ServiceParts } from '../resource.ts';

/** A script of the longest length is parsed in a hundredth of this. */
const PARSE_LIMIT_MS = 5_000;
const MEMORY_LIMIT_MB = 256;

const TOO_COMPLEX: ScriptVerdict = {
  ok: false,
  message: 'The script is too complex to be checked',
  line: null,
  column: null,
};

/** Looks for syntax errors in scripts, without running them. */
export class ScriptSyntax {
  readonly #mutex: ServiceParts['mutex'];

  constructor({ mutex }: Pick<ServiceParts, 'mutex'>) {
    this.#mutex = mutex;
  }

  /** One script after another: each takes a thread. */
  check(code: string): Promise<ScriptVerdict> {
    return this.#mutex('script check', () => checkSyntax(code));
  }
}

/** A thread of its own: long or hostile text may take its time and memory there, and block nobody. */
export async function checkSyntax(code: string): Promise<ScriptVerdict> {
  const thread = new Worker(new URL('./parse-thread.ts', import.meta.url), {
    workerData: { code },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    env: {},
  });
  const { promise, resolve, reject } = Promise.withResolvers<ScriptVerdict>();
  const deadline = setTimeout(() => resolve(TOO_COMPLEX), PARSE_LIMIT_MS);
  thread.once('message', resolve);
  thread.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(TOO_COMPLEX);
    else reject(error);
  });
  try {
    return await promise;
  } finally {
    clearTimeout(deadline);
    await thread.terminate();
  }
}
