import type { ResultDetails } from './details.ts';

/** The parts of a run in the order in which they come; not every type has each. */
export const PHASES = ['wait', 'dns', 'tcp', 'tls', 'firstByte', 'download', 'data'] as const;
export type PhaseName = (typeof PHASES)[number];

export interface RunPhase {
  name: PhaseName;
  /** Milliseconds after the start of the run. */
  startMs: number;
  durationMs: number;
}

/** Shorter waits for a socket are of no interest. */
const LEAST_WAIT_MS = 1;

/** The phases of a run one after the other; none of a type that has no phases, or where nothing was sent. */
export function phasesOf(details: ResultDetails): RunPhase[] {
  const times = timesOf(details);
  if (Object.values(times).every((ms) => ms === 0)) return [];
  let startMs = 0;
  return PHASES.flatMap((name) => {
    const durationMs = times[name];
    if (durationMs === undefined || (name === 'wait' && durationMs < LEAST_WAIT_MS)) return [];
    const phase = { name, startMs, durationMs };
    startMs += durationMs;
    return [phase];
  });
}

function timesOf({
  apiCheckResult,
  tcpCheckResult,
}: ResultDetails): Partial<Record<PhaseName, number>> {
  const http = apiCheckResult?.response?.timingPhases;
  if (http !== undefined) {
    const tls = apiCheckResult?.response?.connection?.tlsMs ?? null;
    const { wait, dns, tcp, firstByte = 0, download } = http;
    const times = { wait, dns, tcp, firstByte: Math.max(0, firstByte - (tls ?? 0)), download };
    return only({ ...times, ...(tls !== null && { tls }) });
  }
  const { dns, connection, data } = tcpCheckResult?.timingPhases ?? {};
  return only({ dns, tcp: connection, data });
}

function only(times: Partial<Record<PhaseName, number | undefined>>) {
  return Object.fromEntries(Object.entries(times).filter(([, ms]) => ms !== undefined)) as Partial<
    Record<PhaseName, number>
  >;
}
