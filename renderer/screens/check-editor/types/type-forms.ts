import { type ComponentType, lazy } from 'react';
import type { CheckType } from '#shared/checks/enums.ts';

/**
 * What each type of check asks and expects: a file for each, with the fields of what is its own. They stand in the
 * form of the check: their inputs come from `renderer/parts/form/` and go by the paths of members, such as `request.url`.
 */
export const TYPE_FORMS: Readonly<Record<CheckType, ComponentType>> = {
  API: lazy(async () => ({ default: (await import('./api.tsx')).ApiForm })),
  URL: lazy(async () => ({ default: (await import('./url.tsx')).UrlForm })),
  TCP: lazy(async () => ({ default: (await import('./tcp.tsx')).TcpForm })),
  DNS: lazy(async () => ({ default: (await import('./dns.tsx')).DnsForm })),
  ICMP: lazy(async () => ({ default: (await import('./icmp.tsx')).IcmpForm })),
  HEARTBEAT: lazy(async () => ({ default: (await import('./heartbeat.tsx')).HeartbeatForm })),
  BROWSER: lazy(async () => ({ default: (await import('./browser.tsx')).BrowserForm })),
  MULTI_STEP: lazy(async () => ({ default: (await import('./multi-step.tsx')).MultiStepForm })),
  PLAYWRIGHT: lazy(async () => ({ default: (await import('./playwright.tsx')).PlaywrightForm })),
};
