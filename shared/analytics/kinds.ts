import type { CheckType } from '#shared/checks/enums.ts';

/** What each kind of analytics can be asked for (4.7). */

export const METRIC_UNITS = ['milliseconds', 'score', 'count', 'percentage'] as const;
export type MetricUnit = (typeof METRIC_UNITS)[number];

/** What a number of one result is, under its base name. */
export interface BaseMetric {
  unit: MetricUnit;
  /** As charts show it. */
  label: string;
}

export const GROUPINGS = ['runLocation', 'statusCode', 'pageIndex'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const RESULT_STATUSES = ['success', 'failure'] as const;

const ms = (label: string): BaseMetric => ({ unit: 'milliseconds', label });
const count = (label: string): BaseMetric => ({ unit: 'count', label });

const HTTP = {
  responseTime: ms('Response time'),
  wait: ms('Waiting for a socket'),
  dns: ms('DNS lookup'),
  tcp: ms('Connection, TLS included'),
  firstByte: ms('Time to first byte'),
  download: ms('Download'),
};

const SCRIPTED = { responseTime: ms('Duration of the whole run') };

const BROWSER = {
  ...SCRIPTED,
  TTFB: ms('Time to first byte'),
  FCP: ms('First contentful paint'),
  LCP: ms('Largest contentful paint'),
  CLS: { unit: 'score', label: 'Cumulative layout shift' },
  TBT: ms('Total blocking time'),
  consoleErrors: count('Console errors'),
  networkErrors: count('Network errors'),
  userScriptErrors: count('Script errors'),
  documentErrors: count('Document errors'),
} satisfies Record<string, BaseMetric>;

const TCP = {
  total: ms('Total time'),
  dns: ms('DNS lookup'),
  connection: ms('Connection'),
  data: ms('Waiting for data'),
};

const ICMP = {
  packetLoss: { unit: 'percentage', label: 'Packet loss' },
  latencyMin: ms('Shortest round trip of a run'),
  latencyMax: ms('Longest round trip of a run'),
  latencyAvg: ms('Mean round trip of a run'),
  latencyStdDev: ms('Spread of round trips in a run'),
} satisfies Record<string, BaseMetric>;

interface Kind {
  checkType: CheckType;
  /** One of its checks in a sentence. */
  noun: string;
  metrics: Readonly<Record<string, BaseMetric>>;
  groupBy: readonly Grouping[];
}

/** By the segment of its path. */
export const ANALYTICS_KINDS = {
  'api-checks': kind('API', 'an API check', HTTP, ['runLocation', 'statusCode']),
  'url-monitors': kind('URL', 'a URL monitor', HTTP, ['runLocation', 'statusCode']),
  'browser-checks': kind('BROWSER', 'a browser check', BROWSER, ['runLocation', 'pageIndex']),
  'multistep-checks': kind('MULTI_STEP', 'a multi-step check', SCRIPTED, ['runLocation']),
  'playwright-checks': kind('PLAYWRIGHT', 'a Playwright check', SCRIPTED, ['runLocation']),
  'tcp-checks': kind('TCP', 'a TCP check', TCP, ['runLocation']),
  dns: kind('DNS', 'a DNS monitor', { total: ms('Total time') }, ['runLocation']),
  icmp: kind('ICMP', 'an ICMP monitor', ICMP, ['runLocation']),
  'heartbeat-checks': kind('HEARTBEAT', 'a heartbeat check', {}, []),
} as const satisfies Record<string, Kind>;

/** Of a check type that does not exist here: what may be asked is known, and that nothing has an answer. */
export const SSL_KIND = {
  noun: 'an SSL check',
  bases: [
    'handshakeTimeMs',
    'daysUntilExpiry',
    'tlsVersion',
    'cipherSuite',
    'hostnameVerified',
    'chainTrusted',
    'ocspStapled',
    'keySizeBits',
    'baselineVerdict',
    'baselineGrade',
  ],
  groupBy: ['runLocation'],
} as const;

export type AnalyticsKind = keyof typeof ANALYTICS_KINDS;
export const ANALYTICS_KIND_NAMES = Object.keys(ANALYTICS_KINDS) as AnalyticsKind[];

function kind(
  checkType: CheckType,
  noun: string,
  metrics: Kind['metrics'],
  groupBy: Kind['groupBy'],
): Kind {
  return { checkType, noun, metrics, groupBy };
}

/** The kind that tells of checks of a type. */
export function kindOf(checkType: CheckType): AnalyticsKind {
  const found = ANALYTICS_KIND_NAMES.find((name) => ANALYTICS_KINDS[name].checkType === checkType);
  if (found === undefined) throw new Error(`No analytics of ${checkType} checks.`);
  return found;
}
