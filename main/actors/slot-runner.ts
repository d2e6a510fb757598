import { randomUUID } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import type { StoredResult } from '#shared/result/check-result.ts';
import { locationsOf } from '#shared/rules/locations.ts';
import { RUN_TIMEOUT_MS, type RunRequest, type RunResult } from '#shared/run/protocol.ts';
import { DEFAULT_RUNTIME_ID } from '../accounts.ts';
import { type ScopeSources, scopeOf } from '../scope/run-scope.ts';
import type { Configuration } from '../store/configuration.ts';
import type { CheckMemory, SlotRun } from './check.machine.ts';
import type { Recorder } from './recorder.ts';
import { uuidAt } from './uuid-at.ts';

/** Whatever carries out a run; never rejects. */
export interface RunPort {
  run(request: RunRequest): Promise<RunResult>;
  runnerOf(location: string): string;
}

export interface SlotRunnerParts {
  dispatcher: RunPort;
  recorder: Recorder;
  clock: Clock;
  /** What the scripts and templates of a run are made from. */
  configuration: Pick<Configuration, 'account' | 'snippets' | 'variables'>;
  /** CIDR ranges that the operator denies to checks. */
  deniedRanges: readonly string[];
}

/** Runs slots: a run at each location that is due, to one FINAL result each. */
export class SlotRunner {
  readonly #parts: SlotRunnerParts;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(parts: SlotRunnerParts) {
    this.#parts = parts;
  }

  run(slotRun: SlotRun): Promise<{ lastLocation: string }> {
    const running = this.#run(slotRun).finally(() => this.#underWay.delete(running));
    this.#underWay.add(running);
    return running;
  }

  /** Resolves when no run is under way. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  async #run({ check, slot, lastLocation }: SlotRun): Promise<{ lastLocation: string }> {
    const { dispatcher, recorder, clock, deniedRanges } = this.#parts;
    const due = locationsOf(check, lastLocation);
    const checkRunId = clock.now();
    const sources = sourcesOf(this.#parts.configuration);
    const results = await Promise.all(
      due.run.map(async (location) => {
        const result = await dispatcher.run({
          runId: randomUUID(),
          check,
          location,
          timeoutMs: RUN_TIMEOUT_MS,
          deniedRanges,
          scope: scopeOf(check, sources, { location, checkRunId }),
        });
        const ranOn = dispatcher.runnerOf(location);
        return { location, ranOn, result };
      }),
    );
    const createdAt = clock.now();
    const kept = results.map(({ location, ranOn, result }) => ({
      result: {
        ...stored(result),
        id: uuidAt(createdAt),
        checkId: check.id,
        checkType: check.checkType,
        resultType: 'FINAL' as const,
        slot,
        runLocation: location,
        ranOn,
        createdAt,
        checkRunId,
        attempts: 0,
        sequenceId: randomUUID(),
      },
      detail: result.detail,
    }));
    const memory: CheckMemory = { lastSlot: slot, lastLocation: due.last };
    void recorder.results(check.id, kept, { ...memory });
    return { lastLocation: due.last };
  }
}

function sourcesOf({ account, variables, snippets }: SlotRunnerParts['configuration']) {
  // The start makes the account first; actors that are tested alone have none.
  const [known = { id: '', runtimeId: DEFAULT_RUNTIME_ID }] = account.all();
  return { account: known, variables: variables.all(), snippets } satisfies ScopeSources;
}

type RunPart = Omit<RunResult, 'runId' | 'detail'>;

function stored({ runId: _, detail: __, ...result }: RunResult): RunPart & Partial<StoredResult> {
  return result;
}
