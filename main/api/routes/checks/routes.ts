import type { RequestHandler } from 'express';
import { notFound } from '#main/services/service-error.ts';
import type { CheckType } from '#shared/checks/enums.ts';

/** How each check type is called: in its route, in the names of its schemas, in sentences. */
export const CHECK_ROUTES = {
  API: { segment: 'api', schema: 'ApiCheck', noun: 'API check' },
  BROWSER: { segment: 'browser', schema: 'BrowserCheck', noun: 'browser check' },
  HEARTBEAT: { segment: 'heartbeat', schema: 'HeartbeatCheck', noun: 'heartbeat check' },
  ICMP: { segment: 'icmp', schema: 'IcmpMonitor', noun: 'ICMP monitor' },
  MULTI_STEP: { segment: 'multistep', schema: 'MultiStepCheck', noun: 'multi-step check' },
  TCP: { segment: 'tcp', schema: 'TcpCheck', noun: 'TCP check' },
  PLAYWRIGHT: { segment: 'playwright', schema: 'PlaywrightCheck', noun: 'Playwright check' },
  URL: { segment: 'url', schema: 'UrlMonitor', noun: 'URL monitor' },
  DNS: { segment: 'dns', schema: 'DnsMonitor', noun: 'DNS monitor' },
} as const satisfies { [K in CheckType]: { segment: string; schema: string; noun: string } };

const SEGMENTS: readonly string[] = Object.values(CHECK_ROUTES).map(({ segment }) => segment);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** 404 that lists the types, for a route of a type that does not exist: `POST /v1/checks/http`. */
export const refuseUnknownType: RequestHandler<{ segment: string }> = (
  { params },
  _response,
  next,
) => {
  const { segment } = params;
  if (SEGMENTS.includes(segment.toLowerCase()) || UUID.test(segment)) return next();
  const named = JSON.stringify(segment.slice(0, 50));
  throw notFound(`There is no check type ${named} here; the types are ${SEGMENTS.join(', ')}`);
};
