import type { AssertedType, AssertionOutcome } from '#shared/assertions/evaluate.ts';
import { cut } from '#shared/assertions/text.ts';
import type { CheckType, DetailKey } from '#shared/checks/enums.ts';
import type { JudgedRun } from '#shared/results/verdict.ts';
import type { PeerCertificate, RunFailure, RunMetrics, RunResult } from '#shared/runs/protocol.ts';
import { MAX_MESSAGE_CHARS, type Mask } from '../masking/mask.ts';
import { judgeUnlessHeldUp } from './held-up.ts';
import type { RunRequestOf } from './runner.ts';

/** A run of a network check that is over and not judged yet. */
export interface FinishedRun<T extends AssertedType>
  extends Pick<JudgedRun, 'responseCode' | 'packetLoss'> {
  request: RunRequestOf<T>;
  /** Epoch milliseconds of the start. */
  startedAt: number;
  /** Milliseconds that the limits are compared with. */
  responseTime: number;
  /**
   * Milliseconds of what was measured in which this thread stood still; left out where another
   * process measured.
   */
  stalledMs?: number;
  /** Why the exchange came to nothing; null when it took place. */
  failure: RunFailure | null;
  /** Empty where the exchange failed: there is nothing to assert on. */
  outcomes: readonly AssertionOutcome[];
  /** HTTP status; left out where the type has none. */
  statusCode?: number | null;
  /** What an HTTPS target showed; left out where the type has none. */
  certificate?: PeerCertificate | null;
  metrics: RunMetrics;
  /** The member of the check result that fits the type, masked and ready for JSON. */
  detail: { [K in DetailKey]?: object };
  /** Of a type whose target says something of its own. */
  mask?: Mask;
}

/** Judges a run and gives it the form in which it leaves the runner. */
export function buildResult<T extends AssertedType>(run: FinishedRun<T>): RunResult {
  const { request, startedAt, responseTime, metrics, statusCode = null } = run;
  const certificate = countedCertificate(request.check, run.certificate);
  const stoppedAt = Date.now();
  const { failure, ...flags } = judgeUnlessHeldUp(judged(run), {
    timeoutMs: request.timeoutMs,
    tookMs: stoppedAt - startedAt,
    stalledMs: run.stalledMs ?? 0,
  });
  return {
    runId: request.runId,
    startedAt,
    stoppedAt,
    responseTime,
    ...flags,
    failure: failure && { cause: failure.cause, message: masked(failure.message, run) },
    metrics,
    statusCode,
    ...(certificate && {
      certificate: { ...certificate, domain: masked(certificate.domain, run) },
    }),
    detail: JSON.stringify(run.detail),
  };
}

function masked(text: string, { mask }: Pick<FinishedRun<AssertedType>, 'mask'>): string {
  return mask ? mask.start(text, MAX_MESSAGE_CHARS) : cut(text, MAX_MESSAGE_CHARS);
}

function judged<T extends AssertedType>(run: FinishedRun<T>): JudgedRun {
  // Thresholds of ICMP exist in no other type, the members here in all.
  const check: Partial<JudgedRun> & Pick<JudgedRun, 'checkType' | 'shouldFail'> = run.request.check;
  return {
    checkType: check.checkType,
    shouldFail: check.shouldFail,
    degradedResponseTime: check.degradedResponseTime,
    maxResponseTime: check.maxResponseTime,
    degradedPacketLossThreshold: check.degradedPacketLossThreshold,
    maxPacketLossThreshold: check.maxPacketLossThreshold,
    responseTime: run.responseTime,
    failure: run.failure,
    statusCode: run.statusCode ?? null,
    outcomes: run.outcomes,
    responseCode: run.responseCode,
    packetLoss: run.packetLoss,
  };
}

/**
 * The certificate of a run that is watched for its end: the one that its first connection met or,
 * where the check names a `sslCheckDomain`, that one if it is of this domain.
 */
function countedCertificate(
  { sslCheckDomain }: { checkType: CheckType; sslCheckDomain?: string | null | undefined },
  certificate: PeerCertificate | null | undefined,
): PeerCertificate | null {
  const wanted = sslCheckDomain?.trim().toLowerCase();
  if (!certificate || (wanted && wanted !== certificate.domain.toLowerCase())) return null;
  return certificate;
}
