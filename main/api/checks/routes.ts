import type { CheckType } from '#shared/check/enums.ts';

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
