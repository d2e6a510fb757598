import type { RunRequest, RunResult } from '#shared/run/protocol.ts';

/** Whether the monitor itself can see (invariant 7, threats 21 and 25). */
export interface Sight {
  /**
   * A failing result as it is to be kept: where failures come in bunches the canaries are asked, and
   * where the monitor is blind the run is inconclusive: `hasErrors`, with the reason. Every other
   * result comes back at once as it is.
   */
  judge(request: RunRequest, result: RunResult): Promise<RunResult>;
}
