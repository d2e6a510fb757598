import type { AssertedType, AssertionOutcome } from '#shared/assertions/evaluate.ts';
import {
  type Cause,
  INTERNAL_CAUSES,
  type ResultFlags,
  type RunFailure,
} from '#shared/runs/protocol.ts';

/** What a run found, as the verdict needs it. */
export interface JudgedRun {
  checkType: AssertedType;
  shouldFail: boolean;
  /** Milliseconds; null or undefined is no limit. */
  degradedResponseTime: number | null | undefined;
  maxResponseTime: number | null | undefined;
  /** Milliseconds. */
  responseTime: number;
  /** Why the exchange itself came to nothing; null when it took place. */
  failure: RunFailure | null;
  /** HTTP status; null where there was none. */
  statusCode: number | null;
  /** Of an exchange that took place; empty for one that did not. */
  outcomes: readonly AssertionOutcome[];
  /** DNS: `NOERROR`, … */
  responseCode?: string | undefined;
  /** ICMP: percent. */
  packetLoss?: number | undefined;
  /** ICMP: percent; null or undefined is no threshold. */
  degradedPacketLossThreshold?: number | null | undefined;
  maxPacketLossThreshold?: number | null | undefined;
}

export type Verdict = ResultFlags & { failure: RunFailure | null };

/** What a type thinks of the exchange itself, before assertions and limits of time. */
interface Exchange {
  failure: RunFailure | null;
  isDegraded?: boolean;
  /** Whether the limits of response time apply. */
  isTimed: boolean;
}

/**
 * The flags of a result (specification 2.7), and the first bad thing: of the
 * exchange, else of the assertions in their order, else of the response time. Our own trouble
 * sets `hasErrors` and nothing else. Degraded is only what did not fail.
 */
export function judge(run: JudgedRun): Verdict {
  if (run.failure && INTERNAL_CAUSES.includes(run.failure.cause)) {
    return { ...FLAGS_DOWN, hasErrors: true, failure: run.failure };
  }
  const exchange = EXCHANGES[run.checkType](run);
  const overMaxResponseTime = exchange.isTimed && isOver(run.responseTime, run.maxResponseTime);
  const failure =
    exchange.failure ??
    assertionFailure(run.outcomes) ??
    (overMaxResponseTime ? responseTimeFailure(run) : null);
  const isSlow = exchange.isTimed && isOver(run.responseTime, run.degradedResponseTime);
  return {
    hasFailures: failure !== null,
    hasErrors: false,
    isDegraded: failure === null && (isSlow || exchange.isDegraded === true),
    overMaxResponseTime,
    failure,
  };
}

const FLAGS_DOWN: ResultFlags = {
  hasFailures: false,
  hasErrors: false,
  isDegraded: false,
  overMaxResponseTime: false,
};

const EXCHANGES: { [T in AssertedType]: (run: JudgedRun) => Exchange } = {
  API: judgeHttp,
  URL: judgeHttp,
  TCP: judgeTcp,
  DNS: judgeDns,
  ICMP: judgeIcmp,
};

/**
 * A status of 400 or more fails. With `shouldFail` it is what is wanted and a lower
 * one fails, unless an assertion on the status stands: then assertions decide alone.
 */
function judgeHttp(run: JudgedRun): Exchange {
  return { failure: run.failure ?? statusFailure(run), isTimed: true };
}

function statusFailure({ statusCode, shouldFail, outcomes }: JudgedRun): RunFailure | null {
  if (statusCode === null) return null;
  if (shouldFail && hasSource(outcomes, 'STATUS_CODE')) return null;
  if (statusCode >= 400 === shouldFail) return null;
  const wanted = shouldFail ? 'of 400 or more' : 'below 400';
  return { cause: 'STATUS', message: `Expected a status ${wanted}, but got ${statusCode}` };
}

/** Causes that leave a TCP check without a connection: what `shouldFail` wants of it. */
const NO_CONNECTION: readonly Cause[] = [
  'DNS_FAILURE',
  'CONNECTION_REFUSED',
  'CONNECTION_RESET',
  'UNREACHABLE',
  'TIMEOUT_DNS',
  'TIMEOUT_CONNECT',
];

/** With `shouldFail` a connection must fail; one that was never made has no response time. */
function judgeTcp({ failure, shouldFail }: JudgedRun): Exchange {
  if (!shouldFail) return { failure, isTimed: true };
  if (failure === null) return { failure: unwantedConnection(), isTimed: true };
  return NO_CONNECTION.includes(failure.cause)
    ? { failure: null, isTimed: false }
    : { failure, isTimed: true };
}

function unwantedConnection(): RunFailure {
  return { cause: 'ASSERTION', message: 'Expected the connection to fail, but it was established' };
}

/** The response code is NOERROR, unless an assertion on it stands instead. */
function judgeDns({ failure, responseCode, outcomes }: JudgedRun): Exchange {
  const isGood =
    failure !== null ||
    responseCode === undefined ||
    responseCode === 'NOERROR' ||
    hasSource(outcomes, 'RESPONSE_CODE');
  if (isGood) return { failure, isTimed: true };
  const message = `Expected the response code NOERROR, but got ${responseCode}`;
  return { failure: { cause: 'RESPONSE_CODE', message }, isTimed: true };
}

/** Packet loss decides, response times do not. Nothing but loss is always failure. */
function judgeIcmp(run: JudgedRun): Exchange {
  const { failure, packetLoss = 0, maxPacketLossThreshold } = run;
  if (failure) return { failure, isTimed: false };
  if (packetLoss >= 100 || isOver(packetLoss, maxPacketLossThreshold)) {
    const limit = maxPacketLossThreshold ?? 100;
    const wanted = limit < 100 ? `of at most ${limit} %` : 'of less than 100 %';
    const message = `Expected a packet loss ${wanted}, but got ${rounded(packetLoss)} %`;
    return { failure: { cause: 'PACKET_LOSS', message }, isTimed: false };
  }
  const isDegraded = isOver(packetLoss, run.degradedPacketLossThreshold);
  return { failure: null, isDegraded, isTimed: false };
}

function assertionFailure(outcomes: readonly AssertionOutcome[]): RunFailure | null {
  const broken = outcomes.find(({ error }) => error !== null);
  return broken?.error ? { cause: 'ASSERTION', message: broken.error } : null;
}

function responseTimeFailure({ responseTime, maxResponseTime }: JudgedRun): RunFailure {
  const message = `Expected a response time of at most ${maxResponseTime} ms, but got ${rounded(responseTime)} ms`;
  return { cause: 'MAX_RESPONSE_TIME', message };
}

function isOver(value: number, limit: number | null | undefined): boolean {
  return limit !== null && limit !== undefined && value > limit;
}

function hasSource(outcomes: readonly AssertionOutcome[], source: string): boolean {
  return outcomes.some((outcome) => outcome.source === source);
}

const rounded = (value: number) => Math.round(value * 100) / 100;
