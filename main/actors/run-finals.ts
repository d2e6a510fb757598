import type { FinalRun } from '#shared/alert/final-run.ts';
import type { StoredResult } from '#shared/result/check-result.ts';
import { verdictOf } from '#shared/rules/alert/outcome.ts';
import type { SeenCertificate } from '#shared/rules/alert/ssl.ts';
import type { PeerCertificate } from '#shared/run/protocol.ts';
import type { FinishedRun } from '../alerts/alert-port.ts';
import type { SequenceMemory } from './memory.ts';

/** The FINAL results of a run under way, gathered until the last of its locations is over. */
export class RunFinals {
  readonly #details = new Map<string, string>();
  readonly #certificates: SeenCertificate[] = [];

  /** Takes one in; what it answers is kept with the sequence that it ends. */
  add(result: StoredResult, detail: string, certificate: PeerCertificate | null): FinalRun {
    this.#details.set(result.id, detail);
    if (certificate) this.#certificates.push({ ...certificate, at: result.createdAt });
    return finalOf(result);
  }

  /** The run with all of its sequences over, also those that were before a restart. */
  finished(checkId: string, sequences: readonly SequenceMemory[]): FinishedRun {
    return {
      checkId,
      finals: sequences.flatMap(({ final }) => final ?? []),
      details: this.#details,
      certificates: this.#certificates,
    };
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
