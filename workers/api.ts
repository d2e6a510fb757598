import { runHttp } from './http/run.ts';
import { type Network, SYSTEM_NETWORK } from './net/network.ts';
import type { Runner } from './runner.ts';

/**
 * Makes the runner of API checks: one request as configured, its redirects, every phase timed, and
 * assertions on status, headers, body and time (contract 3.3, 9.1).
 */
export function createApiRunner(network: Network): Runner<'API'> {
  return (request) => runHttp({ request, ask: request.check.request, keepContent: true }, network);
}

/** Runs an API check on this machine's network. */
export const runApi = createApiRunner(SYSTEM_NETWORK);
