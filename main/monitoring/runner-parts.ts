import type { Connectivity } from '#main/self-monitoring/connectivity-port.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { Clock } from '#shared/clock.ts';
import type { RunRequest, RunResult } from '#shared/runs/protocol.ts';
import type { Recorder } from './recorder.ts';
import type { PublicIps } from './run-variables.ts';

/** Whatever carries out one attempt; never rejects. */
export interface RunPort {
  run(request: RunRequest): Promise<RunResult>;
  runnerOf(location: string): string;
}

export interface RunnerParts {
  dispatcher: RunPort;
  recorder: Recorder;
  /** Judges what is found by whether the monitor itself can see. */
  connectivity: Pick<Connectivity, 'judge'>;
  clock: Clock;
  /** What the scripts and templates of a run are made from. */
  configuration: Pick<Configuration, 'account' | 'groups' | 'snippets' | 'variables'>;
  /** Of the appliance, as the operator gave them. */
  publicIps: PublicIps;
  /** CIDR ranges that the operator denies to checks. */
  deniedRanges: readonly string[];
}
