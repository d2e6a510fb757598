import type { RunRequest, RunResult } from '#shared/runs/protocol.ts';
import type { OfflineReason } from '#shared/self-monitoring/connectivity.ts';
import type { ProbeView } from './probes.ts';

/** Whether the appliance is offline: then no failing run is blamed on its target. */
export interface Connectivity {
  /**
   * A failing result as it is to be stored: where it may be our own fault the probes are asked, and
   * while the appliance is offline the run is inconclusive: `hasErrors`, with the reason. Every other
   * result comes back at once as it is.
   */
  judge(request: RunRequest, result: RunResult): Promise<RunResult>;
  /**
   * The ping of a heartbeat is overdue, which may be our own fault: the probes are asked, so that
   * it is known before the miss is recorded whether the appliance is offline.
   */
  doubt(checkId: string): void;
  isOffline(): boolean;
  /** Whether it was offline between two times, epoch ms, or shortly before or after. */
  wasOffline(from: number, to: number): boolean;
}

/** The state of the connectivity monitor, for the API and the metrics. */
export interface ConnectivityView {
  state: 'seeing' | 'suspicious' | 'asking' | 'blind';
  /** Empty unless offline, which the API calls `blind`. */
  reasons: readonly OfflineReason[];
  /** Since when it is offline, epoch ms. */
  since: number | null;
  probes: readonly ProbeView[];
}
