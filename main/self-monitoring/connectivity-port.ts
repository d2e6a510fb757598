import type { RunRequest, RunResult } from '#shared/runs/protocol.ts';
import type { OfflineReason } from '#shared/self-monitoring/connectivity.ts';
import type { ProbeView } from './probes.ts';

/** Whether the monitor itself can see (invariant 7, threats 21 and 25). */
export interface Connectivity {
  /**
   * A failing result as it is to be kept: where it may be our own fault the canaries are asked, and
   * where the monitor is blind the run is inconclusive: `hasErrors`, with the reason. Every other
   * result comes back at once as it is.
   */
  judge(request: RunRequest, result: RunResult): Promise<RunResult>;
  /**
   * The ping of a heartbeat is overdue, which may be our own fault: the canaries are asked, so that
   * it is known whether the monitor is blind before the miss is recorded.
   */
  doubt(checkId: string): void;
  isOffline(): boolean;
  /** Whether it was blind between two times, epoch ms, or a moment before or after. */
  wasOffline(from: number, to: number): boolean;
}

/** How the monitor sees, for people. */
export interface ConnectivityView {
  state: 'seeing' | 'suspicious' | 'asking' | 'blind';
  /** Empty unless it is blind. */
  reasons: readonly OfflineReason[];
  /** Epoch ms: since when it is blind. */
  since: number | null;
  canaries: readonly ProbeView[];
}
