import { VITALS } from '#shared/playwright/web-vitals.ts';

/** Closed sets of the public API (specification 2.1). */

/** The members of a check result that hold what a type found: each is null with other types. */
export const DETAIL_KEYS = [
  'apiCheckResult',
  'tcpCheckResult',
  'dnsCheckResult',
  'icmpCheckResult',
  'browserCheckResult',
  'multiStepCheckResult',
  'playwrightCheckResult',
] as const;
export type DetailKey = (typeof DETAIL_KEYS)[number];

interface CheckTraits {
  /** The member that holds what its runs found; null for a type that has no runs. */
  detail: DetailKey | null;
  /**
   * Its metrics beside the response time, in the order in which they are stored: a name may be added at
   * the end, never moved.
   */
  metrics: readonly string[];
}

const HTTP_METRICS = ['wait', 'dns', 'tcp', 'firstByte', 'download', 'total'] as const;
const ICMP_METRICS = [
  'dns',
  'latencyAvg',
  'latencyMin',
  'latencyMax',
  'latencyStdDev',
  'packetLoss',
] as const;

/** The pages of a run, from its first one, whose web vitals are stored. */
export const MAX_MEASURED_PAGES = 10;

/** The web vitals are those of the first page of a run, the counts of errors of all of it. */
const BROWSER_METRICS = [
  ...VITALS,
  'consoleErrors',
  'networkErrors',
  'userScriptErrors',
  'documentErrors',
] as const;

/**
 * The check types, each with what threads know of it that load no schemas: a new type is a new line
 * here, and the compiler asks for the rest.
 */
export const CHECK_TRAITS = {
  API: { detail: 'apiCheckResult', metrics: HTTP_METRICS },
  BROWSER: { detail: 'browserCheckResult', metrics: BROWSER_METRICS },
  HEARTBEAT: { detail: null, metrics: [] },
  ICMP: { detail: 'icmpCheckResult', metrics: ICMP_METRICS },
  MULTI_STEP: { detail: 'multiStepCheckResult', metrics: [] },
  TCP: { detail: 'tcpCheckResult', metrics: ['dns', 'connection', 'data', 'total'] },
  PLAYWRIGHT: { detail: 'playwrightCheckResult', metrics: [] },
  URL: { detail: 'apiCheckResult', metrics: HTTP_METRICS },
  DNS: { detail: 'dnsCheckResult', metrics: ['total'] },
} as const satisfies Record<string, CheckTraits>;

export type CheckType = keyof typeof CHECK_TRAITS;
export const CHECK_TYPES = Object.keys(CHECK_TRAITS) as [CheckType, ...CheckType[]];

/** The check types that a runner executes: every one but HEARTBEAT, which is waited for. */
export type RunnableCheckType = Exclude<CheckType, 'HEARTBEAT'>;

/** Data-center codes with the names that `GET /v1/locations` shows, in the specification's order. */
export const LOCATION_NAMES = {
  'us-east-1': 'N. Virginia',
  'us-east-2': 'Ohio',
  'us-west-1': 'N. California',
  'us-west-2': 'Oregon',
  'ca-central-1': 'Montreal',
  'sa-east-1': 'São Paulo',
  'eu-west-1': 'Ireland',
  'eu-central-1': 'Frankfurt',
  'eu-west-2': 'London',
  'eu-west-3': 'Paris',
  'eu-north-1': 'Stockholm',
  'eu-south-1': 'Milan',
  'me-south-1': 'Bahrain',
  'ap-southeast-1': 'Singapore',
  'ap-northeast-1': 'Tokyo',
  'ap-east-1': 'Hong Kong',
  'ap-southeast-2': 'Sydney',
  'ap-southeast-3': 'Jakarta',
  'ap-northeast-2': 'Seoul',
  'ap-northeast-3': 'Osaka',
  'ap-south-1': 'Mumbai',
  'af-south-1': 'Cape Town',
} as const;
export type Location = keyof typeof LOCATION_NAMES;
export const LOCATIONS = Object.keys(LOCATION_NAMES) as [Location, ...Location[]];

/** Newest first: the specification's six, and the one that came after them. */
export const RUNTIME_IDS = [
  '2026.04',
  '2025.04',
  '2024.09',
  '2024.02',
  '2023.09',
  '2023.02',
  '2022.10',
] as const;
export type RuntimeId = (typeof RUNTIME_IDS)[number];

/** The newest runtime that the specification names: what checks get that name none. */
export const DEFAULT_RUNTIME_ID = '2025.04' satisfies RuntimeId;

/** The runtimes that have multi-step checks: those from 2023.09 on. */
export const MULTI_STEP_RUNTIME_IDS = RUNTIME_IDS.filter((id) => id >= '2023.09');

export const INCIDENT_SEVERITIES = ['CRITICAL', 'MAJOR', 'MEDIUM', 'MINOR'] as const;

/** What a stored result may be; `ALL` exists only as a filter. */
export const STORED_RESULT_TYPES = ['FINAL', 'ATTEMPT'] as const;
export type StoredResultType = (typeof STORED_RESULT_TYPES)[number];
export const RESULT_TYPES = [...STORED_RESULT_TYPES, 'ALL'] as const;

export const HEARTBEAT_STATES = ['FAILING', 'EARLY', 'RECEIVED', 'GRACE', 'LATE'] as const;
export type HeartbeatState = (typeof HEARTBEAT_STATES)[number];
