import { workerData } from 'node:worker_threads';
import type { RunnerData } from '#shared/runs/protocol.ts';
import type { ScriptRunner } from '#shared/sandbox/script.ts';
import { runHttp } from '../http/run.ts';
import { SecretForms } from '../masking/secret-forms.ts';
import { type Network, SYSTEM_NETWORK } from '../net/network.ts';
import type { Runner } from '../net/runner.ts';
import { createScriptFetch } from '../sandbox/script-fetch.ts';

/**
 * Makes the runner of API checks: setup scripts, one request as configured, its redirects, every
 * phase timed, teardown scripts, and assertions on status, headers, body and time (specification
 * 1.1).
 */
export function createApiRunner(network: Network, scripts: ScriptRunner): Runner<'API'> {
  const parts = { network, scripts, forms: new SecretForms() };
  return (request) => runHttp({ request, ask: request.check.request, keepContent: true }, parts);
}

/** Starts with the first script, and is loaded with it, as most checks have none. */
const scriptHost: ScriptRunner = {
  run: async (task) => (await openHost()).run(task),
  close: async () => (await host)?.close(),
};
let host: Promise<ScriptRunner> | undefined;

function openHost(): Promise<ScriptRunner> {
  host ??= import('../sandbox/host.ts').then(({ createScriptHost }) =>
    createScriptHost({
      fetch: createScriptFetch(SYSTEM_NETWORK),
      launcher: (workerData as RunnerData | null)?.scriptLauncher ?? [],
    }),
  );
  return host;
}

/** Runs an API check on this machine's network. */
export const runApi = createApiRunner(SYSTEM_NETWORK, scriptHost);
