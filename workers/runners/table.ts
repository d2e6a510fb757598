import type { RunnableCheckType } from '#shared/checks/enums.ts';
import type { Runner } from '../net/runner.ts';
import { runApi } from './api.ts';
import { runDns } from './dns.ts';
import { runIcmp } from './icmp.ts';
import { runTcp } from './tcp.ts';
import { runUnsupported } from './unsupported.ts';
import { runUrl } from './url.ts';

/** The one table of runners: a new check type is a new line here. */
export const RUNNERS = {
  API: runApi,
  URL: runUrl,
  TCP: runTcp,
  DNS: runDns,
  ICMP: runIcmp,
  BROWSER: runUnsupported,
  MULTI_STEP: runUnsupported,
  PLAYWRIGHT: runUnsupported,
} as const satisfies { [T in RunnableCheckType]: Runner<T> };
