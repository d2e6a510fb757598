import type { Check } from '#shared/checks/check.ts';
import type { CheckType, DetailKey } from '#shared/checks/enums.ts';
import type { CheckResult } from '#shared/results/check-result.ts';
import type { ResultDetails } from '#shared/results/details.ts';

/** A check as the API shows it: what is secret in it is missing, or null. */
export type ShownCheck = Check & { heartbeat?: { pingUrl?: string } };

/** A result with the details as screens read them. */
export type ShownResult = Omit<CheckResult, DetailKey> & ResultDetails;

/** The part of the paths of a type's own routes: `PUT /v1/checks/{segment}/{id}`. */
export const SEGMENTS = {
  API: 'api',
  BROWSER: 'browser',
  HEARTBEAT: 'heartbeat',
  ICMP: 'icmp',
  MULTI_STEP: 'multistep',
  TCP: 'tcp',
  PLAYWRIGHT: 'playwright',
  URL: 'url',
  DNS: 'dns',
} as const satisfies Record<CheckType, string>;
