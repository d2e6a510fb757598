import { randomUUID } from 'node:crypto';
import type { CheckOf } from '#shared/checks/check.ts';
import type { RunResult } from '#shared/runs/protocol.ts';
import type { IcmpReport } from '#workers/icmp/report.ts';
import { createIcmpRunner, type IcmpRunnerOptions } from '#workers/runners/icmp.ts';
import { makeCheck } from '../../fixtures/checks.ts';

/** The `icmpCheckResult` of a result, as tests look into it. */
export interface IcmpDetail {
  request: unknown;
  response: IcmpReport | null;
  assertions: { error: string | null; actual: unknown }[];
  requestError: string | null;
  jobLog: { request: { level: string; msg: string }[] };
}

export interface RunOptions extends IcmpRunnerOptions {
  timeoutMs?: number;
  deniedRanges?: string[];
  /** Members of the check beside its request. */
  check?: Partial<CheckOf<'ICMP'>>;
}

/** Runs an ICMP check once. */
export async function runIcmpCheck(
  request: Partial<CheckOf<'ICMP'>['request']>,
  { timeoutMs = 10_000, deniedRanges = [], check = {}, ...runner }: RunOptions = {},
): Promise<RunResult & { icmp: IcmpDetail }> {
  const asked = { hostname: '192.0.2.9', ipFamily: 'IPv4', pingCount: 10, assertions: [] } as const;
  const result = await createIcmpRunner(runner)({
    runId: randomUUID(),
    check: makeCheck('ICMP', {
      ...check,
      request: { ...asked, ...request } as CheckOf<'ICMP'>['request'],
    }),
    location: 'local',
    timeoutMs,
    deniedRanges,
  });
  return { ...result, icmp: JSON.parse(result.detail).icmpCheckResult };
}
