import type { RunnableCheckType } from '#shared/checks/enums.ts';
import { CertificateWatch } from '../net/certificate-watch.ts';
import type { Runner } from '../net/runner.ts';
import { runApi } from './api.ts';
import { runDns } from './dns.ts';
import { runIcmp } from './icmp.ts';
import { runTcp } from './tcp.ts';
import { runUrl } from './url.ts';

const certificates = new CertificateWatch();

/**
 * The one table of runners: a new check type is a new line here. Those of browsers are loaded with
 * their first run, as all but one thread never need them.
 */
export const RUNNERS = {
  API: runApi,
  URL: runUrl,
  TCP: runTcp,
  DNS: runDns,
  ICMP: runIcmp,
  BROWSER: async (request, signal) => {
    const { runBrowser } = await import('./browser.ts');
    return await certificates.during(request, (it) => runBrowser(it, signal));
  },
  MULTI_STEP: async (request, signal) =>
    (await import('./multi-step.ts')).runMultiStep(request, signal),
  PLAYWRIGHT: async (request, signal) =>
    (await import('./playwright.ts')).runPlaywright(request, signal),
} as const satisfies { [T in RunnableCheckType]: Runner<T> };
