import type { HttpDetail, PhaseTimes, ResultDetails } from './details.ts';
import { bodyChanges } from './json-changes.ts';
import type { PhaseName } from './phases.ts';

/** What is another than it was in the last good run. */
export type Change =
  | {
      kind: 'status' | 'url' | 'address' | 'certificate' | 'header' | 'body';
      /** The header, the path in a JSON body, else empty. */
      name: string;
      /** Null where there was none, or is none now. */
      before: string | null;
      after: string | null;
    }
  | {
      kind: 'phase';
      name: PhaseName;
      /** Milliseconds. */
      before: number;
      after: number;
      usual: Spread | null;
    };

/** What a phase usually takes, milliseconds. */
export interface Spread {
  p50: number;
  p95: number;
}

/** By the name of the metric. */
export type Usual = Readonly<Record<string, Spread>>;

const MAX_HEADERS = 12;
/** Characters of a value. */
const MAX_CHARS = 200;

/** Headers that are another one in every answer. */
const PASSING_HEADERS = new Set([
  'age',
  'connection',
  'content-length',
  'date',
  'etag',
  'expires',
  'keep-alive',
  'last-modified',
  'server-timing',
  'set-cookie',
  'traceparent',
]);
const PASSING_NAMES = /(?:-id|-ray|-trace|^x-request|^x-runtime|^x-timer|^x-ratelimit-\w+)$/;

/**
 * What changed between two runs of a check, the telling things first.
 *
 * @param usual of the time before; where it is missing a phase counts as slower when it took twice as long
 */
export function changesBetween(good: ResultDetails, now: ResultDetails, usual: Usual): Change[] {
  const [before, after] = [good.apiCheckResult?.response, now.apiCheckResult?.response];
  const text = (kind: TextKind, one: unknown, other: unknown, name = '') =>
    textChange(kind, name, one, other);
  return [
    ...text('status', statusOf(good), statusOf(now)),
    ...text('url', before?.href, after?.href),
    ...text('address', addressOf(good), addressOf(now)),
    ...text('certificate', certificateOf(before), certificateOf(after)),
    ...headerChanges(before, after),
    ...bodyChanges(bodyOf(good), bodyOf(now)).map((change) => ({
      kind: 'body' as const,
      ...change,
    })),
    ...phaseChanges(timesOf(good), timesOf(now), usual),
  ];
}

type TextKind = Exclude<Change['kind'], 'phase'>;

/** Nothing where one of them is not known. */
function textChange(kind: TextKind, name: string, one: unknown, other: unknown): Change[] {
  if (one === undefined || other === undefined || one === other) return [];
  const shown = (value: unknown) => (value === null ? null : String(value).slice(0, MAX_CHARS));
  return [{ kind, name, before: shown(one), after: shown(other) }];
}

function statusOf(details: ResultDetails): string | null | undefined {
  const { apiCheckResult, dnsCheckResult, icmpCheckResult } = details;
  if (apiCheckResult?.response) {
    const { status, statusText = '' } = apiCheckResult.response;
    return status === 0 ? null : `${status} ${statusText}`.trim();
  }
  if (dnsCheckResult) return dnsCheckResult.response?.returnCode ?? null;
  const loss = icmpCheckResult?.response?.packetLoss;
  return loss === undefined ? undefined : `${loss} % lost`;
}

function addressOf({ apiCheckResult, icmpCheckResult }: ResultDetails): string | undefined {
  return (
    apiCheckResult?.response?.connection?.address ??
    icmpCheckResult?.response?.resolvedIp ??
    undefined
  );
}

function certificateOf(response: HttpDetail['response']): string | undefined {
  const certificate = response?.connection?.certificate;
  return certificate
    ? `${certificate.domain}, until ${certificate.notAfter.slice(0, 10)}`
    : undefined;
}

function headerChanges(before: HttpDetail['response'], after: HttpDetail['response']): Change[] {
  // Where one of them has none at all, its headers were not kept, or there was no answer.
  const [old, fresh] = [before?.headers ?? {}, after?.headers ?? {}];
  if (Object.keys(old).length === 0 || Object.keys(fresh).length === 0) return [];
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].toSorted();
  return names
    .filter((name) => !PASSING_HEADERS.has(name) && !PASSING_NAMES.test(name))
    .flatMap((name) =>
      textChange('header', name, old[name]?.toString() ?? null, fresh[name]?.toString() ?? null),
    )
    .slice(0, MAX_HEADERS);
}

function bodyOf({ apiCheckResult, tcpCheckResult, dnsCheckResult }: ResultDetails): string {
  // What is no text is not compared.
  if (apiCheckResult?.response?.bodyEncoding !== undefined) return '';
  return (
    apiCheckResult?.response?.body ??
    tcpCheckResult?.response?.data ??
    dnsCheckResult?.response?.answer ??
    ''
  );
}

/** Metrics that are phases. */
const PHASE_OF_METRIC: Readonly<Record<string, PhaseName>> = {
  dns: 'dns',
  tcp: 'tcp',
  connection: 'tcp',
  firstByte: 'firstByte',
  download: 'download',
  data: 'data',
};

function timesOf({ apiCheckResult, tcpCheckResult }: ResultDetails): PhaseTimes {
  return apiCheckResult?.response?.timingPhases ?? tcpCheckResult?.timingPhases ?? {};
}

function phaseChanges(before: PhaseTimes, after: PhaseTimes, usual: Usual): Change[] {
  return Object.entries(PHASE_OF_METRIC).flatMap(([metric, name]): Change[] => {
    const [one, other] = [before[metric], after[metric]];
    if (one === undefined || other === undefined) return [];
    const spread = usual[metric] ?? null;
    return isSlower(one, other, spread)
      ? [{ kind: 'phase', name, before: one, after: other, usual: spread }]
      : [];
  });
}

/** Differences that nobody notices do not count, however large their part is. */
const LEAST_MS = 5;

function isSlower(before: number, after: number, usual: Spread | null): boolean {
  if (usual === null) return after > 2 * before && after - before > 4 * LEAST_MS;
  return after > usual.p95 && after > 1.5 * usual.p50 && after - usual.p50 > LEAST_MS;
}
