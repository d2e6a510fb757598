import type { EgressOutcome } from '../egress/client.ts';
import type { EgressCause } from '../egress/failure.ts';
import type { Delivery } from './sender.ts';

/** Only a change of the channel or of the settings helps against these. */
const PERMANENT_CAUSES: ReadonlySet<EgressCause> = new Set(['INVALID_URL', 'DENIED_ADDRESS']);
/** Statuses of 400 or more that may go by themselves; those of 500 or more may all. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** What an answer over HTTP means. `triesAll`: every failing status is tried again. */
export function deliveryOf(outcome: EgressOutcome, { triesAll = false } = {}): Delivery {
  if (outcome.failure !== undefined) {
    const permanent = PERMANENT_CAUSES.has(outcome.failure);
    return failed(`${outcome.failure} after ${outcome.durationMs} ms: ${outcome.message}`, {
      permanent,
    });
  }
  const { status, durationMs, retryAfterMs, body } = outcome;
  const detail = `HTTP ${status} in ${durationMs} ms`;
  if (status >= 200 && status < 300) return succeeded(detail);
  if (status < 400) return failed(`${detail}: redirects are not followed`, { permanent: true });
  const isPassing = status >= 500 || PASSING_STATUSES.has(status);
  return {
    ...failed(detail, { permanent: !isPassing && !triesAll }),
    outcome: status === 429 ? 'RATE_LIMITED' : 'FAILURE',
    answer: body === '' ? null : body,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

export function succeeded(detail: string): Delivery {
  return { outcome: 'SUCCESS', detail, answer: null, permanent: false };
}

/** The outcome where a content is about no incident and the service takes nothing else. */
export function nothingToSend(): Delivery {
  return { ...succeeded('Nothing to send: each incident is closed by itself'), isUnsent: true };
}

export function failed(detail: string, { permanent }: { permanent: boolean }): Delivery {
  return { outcome: 'FAILURE', detail, answer: null, permanent };
}
