import type { RunnableCheck } from '#shared/checks/check.ts';
import { NETWORK_CAUSES, type RunResult } from '#shared/runs/protocol.ts';

/**
 * Whether a failing run is the fault of its target or of the appliance. A failure that may be the
 * appliance's own is never blamed on the target.
 */

/**
 * Why the appliance is offline; several reasons may hold at a time. `NETWORK`: no connectivity probe
 * answers. `ASLEEP`: the machine slept a moment ago. `BUSY`: the appliance itself stood still.
 * `MEMORY`: next to none is left. `STORE`: results cannot be written.
 */
export const OFFLINE_REASONS = ['NETWORK', 'ASLEEP', 'BUSY', 'MEMORY', 'STORE'] as const;
export type OfflineReason = (typeof OFFLINE_REASONS)[number];

const REASON_WORDS = {
  NETWORK: 'the network of this machine does not answer',
  ASLEEP: 'this machine slept',
  BUSY: 'this machine was too busy to do its work in time',
  MEMORY: 'this machine is short of memory',
  STORE: 'what happens cannot be stored',
} as const satisfies { [R in OfflineReason]: string };

/** The reasons in words, without a full stop. */
export function reasonText(reasons: readonly OfflineReason[]): string {
  return reasons.map((reason) => REASON_WORDS[reason]).join('; ');
}

type Found = Pick<RunResult, 'hasFailures' | 'failure' | 'metrics' | 'statusCode'>;

/**
 * Whether a failing run had no answer of its target, so that the fault may as well be ours: nothing
 * came, every ping was lost, or a script failed or took too long, which may have made requests of its own.
 */
export function isInDoubt({ hasFailures, failure, metrics, statusCode }: Found): boolean {
  if (!hasFailures || failure === null) return false;
  const { cause } = failure;
  if (NETWORK_CAUSES.includes(cause)) return true;
  if (cause === 'PACKET_LOSS') return metrics.packetLoss === 100;
  return cause === 'TIMEOUT_RUN' || (cause === 'SCRIPT' && statusCode === null);
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i;

/** Whether a check's target is this machine: reaching it says nothing of the network. */
export function isOnThisMachine(check: RunnableCheck): boolean {
  // Types of checks name their target as a URL, as a host, or not at all.
  const { request = {} } = check as { request?: { url?: string; hostname?: string } };
  const host = request.url === undefined ? request.hostname : URL.parse(request.url)?.hostname;
  return host !== undefined && LOOPBACK.test(host);
}

/** Reasons that also make everything slow. */
const SLOWING: readonly OfflineReason[] = ['ASLEEP', 'BUSY', 'MEMORY'];

/** Whether a failing run is inconclusive where the appliance is offline for these reasons. */
export function isExcused(result: Found, reasons: readonly OfflineReason[]): boolean {
  if (reasons.length === 0) return false;
  if (isInDoubt(result)) return true;
  const isSlowed = reasons.some((reason) => SLOWING.includes(reason));
  return isSlowed && result.hasFailures && result.failure?.cause === 'MAX_RESPONSE_TIME';
}

/** A failing run as an inconclusive one; its detail still says what was found. */
export function withoutBlame(result: RunResult, reasons: readonly OfflineReason[]): RunResult {
  const found = result.failure?.message ?? '';
  const message = `The monitor could not see: ${reasonText(reasons)}. The run found: ${found}`;
  return {
    ...result,
    hasFailures: false,
    hasErrors: true,
    isDegraded: false,
    overMaxResponseTime: false,
    failure: { cause: 'BLIND', message },
  };
}

/** Checks that ran of late, each by its last run, and those of them in doubt. */
export interface RunCount {
  ran: number;
  inDoubt: number;
}

/** Three targets rarely fail within half a minute of one another, unless it is for one cause. */
const BUNCH = 3;
/** With fewer checks than this, three would be all of them or nearly so: half is enough. */
const FEW_CHECKS = 6;

/** Whether failures come in a bunch: with silent probes that makes them our own fault. */
export function isBunch({ ran, inDoubt }: RunCount): boolean {
  if (inDoubt === 0) return false;
  return inDoubt >= (ran < FEW_CHECKS ? Math.ceil(ran / 2) : BUNCH);
}

/** Whether runs reach their targets, whatever the probes answer. */
export function seesTargets(count: RunCount): boolean {
  return count.ran > 0 && !isBunch(count);
}

/** The health of this machine and process. */
export interface Health {
  /** Share of the JavaScript heap's limit that is in use, 0 to 1. */
  heapShare: number;
  /** Bytes that the machine, or the container, has left; null where the system does not tell. */
  freeBytes: number | null;
  /** Whether records wait in memory, as the store fails. */
  isStoreFailing: boolean;
}

/** Just before V8 gives up it collects garbage all the time. */
const FULL_HEAP = 0.95;
/** Less than one run of a large body needs, and a moment before the system ends processes. */
const SCARCE_BYTES = 32 * 1024 * 1024;

/** The reasons to be offline that the host health gives. */
export function ownTrouble({ heapShare, freeBytes, isStoreFailing }: Health): OfflineReason[] {
  const isShort = heapShare > FULL_HEAP || (freeBytes !== null && freeBytes < SCARCE_BYTES);
  return [...(isShort ? ['MEMORY' as const] : []), ...(isStoreFailing ? ['STORE' as const] : [])];
}
