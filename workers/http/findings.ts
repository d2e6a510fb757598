import type { AssertionOutcome } from '#shared/assertions/evaluate.ts';
import type { HttpConnection } from '#shared/results/details.ts';
import type { PeerCertificate, RunFailure } from '#shared/runs/protocol.ts';
import type { Mask } from '../masking/mask.ts';
import type { JobLog } from '../net/job-log.ts';
import type { RunRequestOf } from '../net/runner.ts';
import type { HttpResponse } from './exchange.ts';
import type { HttpCheckRequest, HttpRequest } from './request.ts';
import type { FailedScript } from './script-phase.ts';
import type { TimingPhases } from './timings.ts';

/** A run of a check that asks over HTTP. */
export interface HttpRun {
  request: RunRequestOf<'API' | 'URL'>;
  /** What to ask, whatever the type calls it. */
  ask: HttpCheckRequest;
  /** Whether header fields and body of the response belong into the result. */
  keepContent: boolean;
}

/** What a run has found before it is judged: a response or a failure. */
export interface HttpFindings {
  /** The first request; null where none could be built. */
  sent: HttpRequest | null;
  /** The URL of the last request. */
  url: URL | null;
  response: HttpResponse | null;
  failure: RunFailure | null;
  phases: TimingPhases;
  /** Milliseconds of the exchanges in which this thread stood still. */
  stalledMs: number;
  certificate: PeerCertificate | null;
  /** Null where no request was sent. */
  connection: HttpConnection | null;
  /** The body decoded, empty where there is none or it is not kept. */
  body: Buffer;
  /** The content type that tells how to read the body. */
  bodyType: string | undefined;
  outcomes: readonly AssertionOutcome[];
  log: JobLog;
  teardownLog: JobLog;
  /** Teardown scripts that failed. */
  teardownErrors: readonly FailedScript[];
  /** Whether the result must not show the response (see teardown.ts). */
  isResponseUnread: boolean;
  /** What takes the secrets of the run out of all that is kept of it. */
  mask: Mask;
}
