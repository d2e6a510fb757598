import type { AlertPolicy } from './alert.ts';
import { quietedBy } from './policy.ts';
import { MAX_CERTIFICATES, type SslState } from './ssl-state.ts';

const DAY_MS = 86_400_000;

/** A certificate as a run found it. */
export interface SeenCertificate {
  domain: string;
  /** Epoch ms: its last valid moment, which tells it from the one that replaces it. */
  notAfter: number;
  /** Epoch ms: when it was seen. */
  at: number;
}

/** ALERT_SSL. It goes to the channels with one of the thresholds, and to no other. */
export interface SslAlert {
  type: 'ALERT_SSL';
  domain: string;
  daysRemaining: number;
  /** Days, ascending. */
  thresholds: number[];
}

/** Whole days until a certificate ends; below 0 when it has ended (`CheckStatus.sslDaysRemaining`). */
export function sslDaysRemaining({ notAfter, at }: Pick<SeenCertificate, 'notAfter' | 'at'>) {
  return Math.floor((notAfter - at) / DAY_MS);
}

/**
 * Whether a certificate ends so soon that it must be said: once for each
 * certificate and threshold, in one alert for all thresholds that it has newly reached. `thresholds`
 * are those of the check's channels that want to know, in days.
 *
 * While the check is muted or in maintenance nothing is said and nothing is remembered: unlike an
 * outage this cannot pass by itself, so it is said afterwards.
 */
export function sslAlertAfter(
  state: SslState,
  certificate: SeenCertificate,
  thresholds: readonly number[],
  policy: Pick<AlertPolicy, 'muted' | 'silenced'>,
): { state: SslState; alert: SslAlert | null } {
  const { domain, notAfter } = certificate;
  const daysRemaining = sslDaysRemaining(certificate);
  const others = state.announced.filter((one) => !isSame(one, certificate));
  const said = state.announced.find((one) => isSame(one, certificate))?.thresholds ?? [];
  const due = [...new Set(thresholds)]
    .filter((threshold) => daysRemaining <= threshold && !said.includes(threshold))
    .sort((one, other) => one - other);
  if (due.length === 0 || quietedBy(policy) !== null) return { state, alert: null };
  const announced = [...others, { domain, notAfter, thresholds: [...said, ...due] }];
  return {
    state: { announced: announced.slice(-MAX_CERTIFICATES) },
    alert: { type: 'ALERT_SSL', domain, daysRemaining, thresholds: due },
  };
}

type Identity = Pick<SeenCertificate, 'domain' | 'notAfter'>;

function isSame(one: Identity, other: Identity): boolean {
  return one.domain === other.domain && one.notAfter === other.notAfter;
}
