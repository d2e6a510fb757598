import { toMicroseconds } from '../net/milliseconds.ts';
import type { IpFamily } from './ping-flavour.ts';
import type { Echo, PingOutput } from './ping-output.ts';

/** Octets of an echo request with its ICMP header. */
const PACKET_SIZE = 64;

/** One echo as results show it. */
interface PingResult {
  sequence: number;
  type: number | null;
  code: number | null;
  success: boolean;
  rtt: number | null;
  ttl: number | null;
}

/** The document that JSON_RESPONSE assertions look into. Times in milliseconds. */
export interface IcmpReport {
  hostname: string;
  resolvedIp: string;
  ipFamily: IpFamily;
  /** Requests asked for by the check. */
  pingCount: number;
  packetsSent: number;
  packetsReceived: number;
  /** Octets. */
  packetSize: number;
  /** Percent of the requests sent, with two decimals. */
  packetLoss: number;
  dnsResolutionTime: number;
  /** Null where no reply came; `stdDev` is that of the whole series, not of a sample. */
  latency: Latency;
  pingResults: PingResult[];
}

export interface Latency {
  avg: number | null;
  min: number | null;
  max: number | null;
  stdDev: number | null;
}

type Known = Pick<
  IcmpReport,
  'hostname' | 'resolvedIp' | 'ipFamily' | 'pingCount' | 'dnsResolutionTime'
>;

/** The document of a series of echoes. A request that ping says nothing of got no reply. */
export function reportOf(known: Known, output: PingOutput): IcmpReport {
  const packetsSent = Math.max(output.sent ?? 0, output.echoes.at(-1)?.sequence ?? 0);
  const bySequence = new Map(output.echoes.map((echo) => [echo.sequence, echo]));
  const pingResults = Array.from({ length: packetsSent }, (_, index) =>
    resultOf(bySequence.get(index + 1), index + 1),
  );
  const packetsReceived = pingResults.filter(({ success }) => success).length;
  return {
    ...known,
    packetsSent,
    packetsReceived,
    packetSize: PACKET_SIZE,
    packetLoss: packetsSent === 0 ? 100 : percent(packetsSent - packetsReceived, packetsSent),
    latency: latencyOf(pingResults.flatMap(({ rtt }) => (rtt === null ? [] : [rtt]))),
    pingResults,
  };
}

function resultOf(echo: Echo | undefined, sequence: number): PingResult {
  if (!echo) return { sequence, type: null, code: null, success: false, rtt: null, ttl: null };
  const { type, code, success, rttMs, ttl } = echo;
  return { sequence, type, code, success, rtt: rttMs, ttl };
}

function percent(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 100;
}

/** From the single times, because each program sums up in its own way. */
function latencyOf(rtts: readonly number[]): Latency {
  if (rtts.length === 0) return { avg: null, min: null, max: null, stdDev: null };
  const avg = rtts.reduce((sum, rtt) => sum + rtt, 0) / rtts.length;
  const variance = rtts.reduce((sum, rtt) => sum + (rtt - avg) ** 2, 0) / rtts.length;
  return {
    avg: toMicroseconds(avg),
    min: Math.min(...rtts),
    max: Math.max(...rtts),
    stdDev: toMicroseconds(Math.sqrt(variance)),
  };
}
