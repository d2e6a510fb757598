import type { AssertionOutcome } from '#shared/assertions/evaluate.ts';
import type {
  BrowserCheckResult,
  LogLine,
  MultiStepCheckResult,
} from '#shared/playwright/detail.ts';

/**
 * What results of each type hold, as they are read: of old results members may be missing that newer ones
 * have, and a run that could not be made has hardly any.
 */

export type PhaseTimes = Readonly<Record<string, number>>;

/** By the script that wrote them, or the request between them. */
export interface JobLog {
  setup?: readonly LogLine[];
  request?: readonly LogLine[];
  teardown?: readonly LogLine[];
}

interface Common {
  assertions?: readonly AssertionOutcome[];
  requestError?: string | null;
  jobLog?: JobLog;
}

/** A script before the request, or after it, that failed. */
export interface ScriptFailure {
  phase?: string;
  name?: string;
  message: string;
  line?: number | null;
  column?: number | null;
}

export interface HttpDetail extends Common {
  request?: {
    method: string;
    url: string;
    headers?: Record<string, string | readonly string[]>;
    params?: Record<string, string>;
    data?: string;
  };
  response?: {
    /** 0 where there was none. */
    status: number;
    statusText?: string;
    href?: string;
    headers?: Record<string, string | readonly string[]>;
    timingPhases?: PhaseTimes;
    body?: string;
    truncated?: boolean;
    /** Of a body that is no text. */
    bodyEncoding?: 'base64';
    connection?: HttpConnection | null;
  };
  scriptErrors?: readonly ScriptFailure[];
}

/** Whom an HTTP check spoke to: of the last request where it was led on to others. */
export interface HttpConnection {
  address: string | null;
  /** Milliseconds of the TLS handshake, which is a part of `firstByte`; null without TLS. */
  tlsMs: number | null;
  certificate: { domain: string; notAfter: string } | null;
}

export interface TcpDetail extends Common {
  request?: { hostname: string; port: number; data: string | null; ipFamily: string };
  response?: { data?: string; error?: Record<string, unknown> };
  timingPhases?: PhaseTimes;
}

export interface DnsDetail extends Common {
  request?: {
    query: string;
    recordType: string;
    protocol: string;
    nameServer: string | null;
    port: number | null;
  };
  nameServerInfo?: { name: string; host: string; port: number } | null;
  response?: { returnCode: string; answer: string; json?: unknown; responseTime?: number } | null;
}

export interface IcmpDetail extends Common {
  request?: { hostname: string; targetIp?: string | null; ipFamily: string; pingCount: number };
  response?: {
    resolvedIp?: string | null;
    dnsResolutionTime?: number;
    packetsSent?: number;
    packetsReceived?: number;
    packetLoss?: number;
    latency?: Readonly<Record<'avg' | 'min' | 'max' | 'stdDev', number>>;
    pingResults?: readonly { sequence: number; success: boolean; rtt?: number; ttl?: number }[];
  } | null;
}

/** What a result has of the detail of its type. */
export interface ResultDetails {
  apiCheckResult?: HttpDetail | null;
  tcpCheckResult?: TcpDetail | null;
  dnsCheckResult?: DnsDetail | null;
  icmpCheckResult?: IcmpDetail | null;
  browserCheckResult?: Partial<BrowserCheckResult> | null;
  multiStepCheckResult?: Partial<MultiStepCheckResult> | null;
  playwrightCheckResult?: Record<string, unknown> | null;
}

/** The assertions of a run, in their order. */
export function assertionsOf(details: ResultDetails): readonly AssertionOutcome[] {
  const detail =
    details.apiCheckResult ??
    details.tcpCheckResult ??
    details.dnsCheckResult ??
    details.icmpCheckResult;
  return detail?.assertions ?? [];
}
