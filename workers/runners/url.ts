import { runHttp } from '../http/run.ts';
import { SecretForms } from '../masking/secret-forms.ts';
import { type Network, SYSTEM_NETWORK } from '../net/network.ts';
import type { Runner } from '../net/runner.ts';

/** What a URL check leaves unsaid: it asks with nothing but its URL. */
const PLAIN = { bodyType: 'NONE', body: '', headers: [], queryParameters: [] } as const;

/**
 * Makes the runner of URL checks: a GET of which only the status and the timings count, and nothing
 * else is kept.
 */
export function createUrlRunner(network: Network): Runner<'URL'> {
  const parts = { network, scripts: null, forms: new SecretForms() };
  return (request) =>
    runHttp({ request, ask: { ...request.check.request, ...PLAIN }, keepContent: false }, parts);
}

/** Runs a URL check on this machine's network. */
export const runUrl = createUrlRunner(SYSTEM_NETWORK);
