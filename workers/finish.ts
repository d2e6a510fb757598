import type { AssertedType, AssertionOutcome } from '#shared/rules/assertion/evaluate.ts';
import { cut } from '#shared/rules/assertion/text.ts';
import { type JudgedRun, judge } from '#shared/rules/verdict.ts';
import type {
  DetailKey,
  PeerCertificate,
  RunFailure,
  RunMetrics,
  RunResult,
} from '#shared/run/protocol.ts';
import { MAX_MESSAGE_CHARS, type Mask } from './mask/mask.ts';
import type { RunRequestOf } from './runner.ts';

/** A run of a network check that is over and not judged yet. */
export interface FinishedRun<T extends AssertedType>
  extends Pick<JudgedRun, 'responseCode' | 'packetLoss'> {
  request: RunRequestOf<T>;
  /** Epoch milliseconds of the start. */
  startedAt: number;
  /** Milliseconds that the limits are compared with. */
  responseTime: number;
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
  /** Of a type whose runs can hold the secret of a variable. */
  mask?: Mask;
}

/**
 * How far past its own deadline a run may end. The deadline is a timer of this thread: when it comes
 * later than this, the thread itself was held up, and what was measured says nothing of the target.
 */
const MAX_OVERRUN_MS = 1_000;

/** Judges a run and gives it the form in which it leaves the runner. */
export function finish<T extends AssertedType>(run: FinishedRun<T>): RunResult {
  const { request, startedAt, responseTime, metrics, statusCode = null, certificate } = run;
  const { failure, ...flags } = judge(judged(run));
  return {
    runId: request.runId,
    startedAt,
    stoppedAt: Date.now(),
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

/** Our own trouble, never the target's (threats 21). */
function heldUp({ request, responseTime }: FinishedRun<AssertedType>): RunFailure | null {
  if (responseTime <= request.timeoutMs + MAX_OVERRUN_MS) return null;
  const seconds = Math.round(responseTime / 1_000);
  return {
    cause: 'INTERNAL',
    message: `This machine was too busy to measure: the run took ${seconds} s, more than it ever gives one`,
  };
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
    failure: heldUp(run) ?? run.failure,
    statusCode: run.statusCode ?? null,
    outcomes: run.outcomes,
    responseCode: run.responseCode,
    packetLoss: run.packetLoss,
  };
}
