import type { Members } from '#renderer/parts/form/members.ts';
import type { CheckType } from '#shared/checks/enums.ts';

const HTTP = { method: 'GET', url: '', followRedirects: true, skipSSL: false, ipFamily: 'IPv4' };

/** What a type needs beside what all checks have; a member that is missing gets its default from the API. */
const BLANKS: Readonly<Record<CheckType, Members>> = {
  API: {
    request: {
      ...HTTP,
      bodyType: 'NONE',
      body: '',
      headers: [],
      queryParameters: [],
      assertions: [],
    },
  },
  URL: { request: { ...HTTP, assertions: [] } },
  TCP: { request: { hostname: '', port: undefined, ipFamily: 'IPv4', assertions: [] } },
  DNS: { request: { query: '', recordType: 'A', protocol: 'UDP', assertions: [] } },
  ICMP: { request: { hostname: '', ipFamily: 'IPv4', pingCount: 10, assertions: [] } },
  HEARTBEAT: { heartbeat: { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' } },
  BROWSER: { script: '' },
  MULTI_STEP: { script: '' },
  PLAYWRIGHT: {},
};

/** The form of a new check as it is opened. */
export function blankCheck(type: CheckType): Members {
  return { name: '', ...BLANKS[type] };
}
