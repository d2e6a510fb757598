import { randomUUID } from 'node:crypto';
import type { FinishedRun } from '#main/alerting/alert-port.ts';
import type { KeptResult } from '#main/store/history/history.ts';
import type { FinalRun } from '#shared/alerting/final-run.ts';
import { verdictOf } from '#shared/alerting/outcome.ts';
import type { SeenCertificate } from '#shared/alerting/ssl.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { locationsOf } from '#shared/runs/locations.ts';
import type { PeerCertificate } from '#shared/runs/protocol.ts';
import type { CheckRunInput } from './check-context.ts';
import type { CheckState, SequenceState } from './persisted-state.ts';

/** Where a run stands at each of its locations, and the FINAL results that it came to. */
export class RunSequences {
  /** Shared by all locations of a run, and by what a restart makes of it; epoch ms of its begin. */
  readonly checkRunId: number;
  /** Where the next run goes on from. */
  readonly lastLocation: string | null;
  readonly #run: CheckRunInput;
  readonly #sequences: Map<string, SequenceState>;
  readonly #details = new Map<string, string>();
  readonly #certificates: SeenCertificate[] = [];

  /** Those of the run that was cut short, where the run takes one up; else new ones. */
  constructor(run: CheckRunInput, now: number) {
    this.#run = run;
    const { interrupted, lastLocation } = run;
    const override = run.ordered?.order.overrides.location;
    const due = override
      ? { run: [override], last: lastLocation }
      : locationsOf(run.check, lastLocation);
    const sequences = interrupted?.sequences ?? due.run.map(newSequence);
    this.#sequences = new Map(sequences.map((sequence) => [sequence.id, sequence]));
    this.checkRunId = interrupted?.checkRunId ?? now;
    this.lastLocation = interrupted ? lastLocation : due.last;
  }

  get all(): SequenceState[] {
    return [...this.#sequences.values()];
  }

  /** Whether the run is over at all of its locations. */
  get isSettled(): boolean {
    return this.#sequences.values().every(({ settled }) => settled);
  }

  /** Changes the state of one location after a result. */
  add(sequence: SequenceState, kept: KeptResult, certificate: PeerCertificate | null): void {
    const final = sequence.settled ? this.#addFinal(kept, certificate) : undefined;
    this.#sequences.set(sequence.id, { ...sequence, final });
  }

  /** The persisted state of the run. */
  memory(): Partial<CheckState> {
    const { ordered, slot } = this.#run;
    const { checkRunId, lastLocation, all: sequences } = this;
    const orderId = ordered?.order.id ?? null;
    return {
      ...(ordered === null && { begunSlot: null, fresh: false }),
      lastLocation,
      interrupted: this.isSettled ? null : { orderId, slot, checkRunId, sequences },
    };
  }

  /** The run, once it is over, with what it came to before a restart. */
  finished(): FinishedRun {
    return {
      checkId: this.#run.check.id,
      finals: this.all.flatMap(({ final }) => final ?? []),
      details: this.#details,
      certificates: this.#certificates,
    };
  }

  #addFinal({ result, detail }: KeptResult, certificate: PeerCertificate | null): FinalRun {
    this.#details.set(result.id, detail);
    if (certificate) this.#certificates.push({ ...certificate, at: result.createdAt });
    return finalOf(result);
  }
}

function finalOf(result: StoredResult): FinalRun {
  return {
    resultId: result.id,
    verdict: verdictOf(result),
    location: result.runLocation,
    startedAt: result.startedAt,
    settledAt: result.createdAt,
    responseTime: result.responseTime,
    statusCode: result.statusCode,
    error: result.failure?.message ?? null,
  };
}

function newSequence(location: string): SequenceState {
  return {
    id: randomUUID(),
    location,
    attempts: 0,
    firstStartedAt: null,
    dueAt: null,
    settled: false,
  };
}
