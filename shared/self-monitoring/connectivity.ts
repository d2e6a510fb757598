import type { RunnableCheck } from '#shared/checks/check.ts';
import { NETWORK_CAUSES, type RunResult } from '#shared/runs/protocol.ts';

/**
 * Whether a failing run is the target's fault or the monitor's own (invariant 7 of the design,
 * threats 21 and 25). What is not known to be the target's is never blamed on it.
 */

/**
 * What keeps the monitor from seeing; several may hold at a time. `NETWORK`: no canary answers.
 * `ASLEEP`: the machine slept a moment ago. `BUSY`: the appliance itself stood still. `MEMORY`:
 * there is next to none left. `STORE`: what happens cannot be kept.
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
 * Whether a failing run brought no word of its target, so that the fault may as well be ours: no
 * answer came, every ping was lost, or a setup script failed, which may have asked something too.
 */
export function isInDoubt({ hasFailures, failure, metrics, statusCode }: Found): boolean {
  if (!hasFailures || failure === null) return false;
  const { cause } = failure;
  if (NETWORK_CAUSES.includes(cause)) return true;
  if (cause === 'PACKET_LOSS') return metrics.packetLoss === 100;
  return cause === 'SCRIPT' && statusCode === null;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i;

/** Whether a check's target is the monitor's own machine: that it is seen says nothing of a network. */
export function isOnThisMachine(check: RunnableCheck): boolean {
  // Types of checks name their target as a URL, as a host, or not at all.
  const { request = {} } = check as { request?: { url?: string; hostname?: string } };
  const host = request.url === undefined ? request.hostname : URL.parse(request.url)?.hostname;
  return host !== undefined && LOOPBACK.test(host);
}

/** Reasons that also make everything slow. */
const SLOWING: readonly OfflineReason[] = ['ASLEEP', 'BUSY', 'MEMORY'];

/** Whether a failing run says nothing of its target where the monitor is blind for these reasons. */
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

/** Whether failures come in a bunch: with dead canaries that makes them ours. */
export function isBunch({ ran, inDoubt }: RunCount): boolean {
  if (inDoubt === 0) return false;
  return inDoubt >= (ran < FEW_CHECKS ? Math.ceil(ran / 2) : BUNCH);
}

/** Whether the runs tell that targets are seen, whatever the canaries say. */
export function seesTargets(count: RunCount): boolean {
  return count.ran > 0 && !isBunch(count);
}

/** How the appliance itself does. */
export interface Health {
  /** Share of the JavaScript heap's limit that is in use, 0 to 1. */
  heapShare: number;
  /** Bytes that the machine, or the container, has left; null where the system does not tell. */
  freeBytes: number | null;
  /** Whether what happened waits for a store that fails. */
  isStoreFailing: boolean;
}

/** Just before V8 gives up it collects garbage all the time. */
const FULL_HEAP = 0.95;
/** Less than one run of a large body needs, and a moment before the system ends processes. */
const SCARCE_BYTES = 32 * 1024 * 1024;

/** The reasons that the appliance's own health gives. */
export function ownTrouble({ heapShare, freeBytes, isStoreFailing }: Health): OfflineReason[] {
  const isShort = heapShare > FULL_HEAP || (freeBytes !== null && freeBytes < SCARCE_BYTES);
  return [...(isShort ? ['MEMORY' as const] : []), ...(isStoreFailing ? ['STORE' as const] : [])];
}
