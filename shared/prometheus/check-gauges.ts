import type { Check } from '#shared/checks/check.ts';
import { isHeartbeat } from '#shared/checks/check.ts';
import { UNIT_MS } from '#shared/checks/heartbeat.ts';
import { type KeptStatus, statusWord } from '#shared/results/check-status.ts';
import type { Labels } from './check-labels.ts';
import { RUN_STATUSES } from './run-tally.ts';

interface Subject {
  check: Check;
  /** Undefined before its first result. */
  status: KeptStatus | undefined;
  /** Epoch ms. */
  now: number;
}

export interface GaugeSample {
  /** Beside those of the check. */
  labels: Labels;
  value: number;
}

interface CheckGauge {
  name: string;
  help: string;
  samplesOf(subject: Subject): GaugeSample[];
}

/** What is known of a check whether its results are counted or not. */
export const CHECK_GAUGES: readonly CheckGauge[] = [
  {
    name: 'checkly_check_status',
    help: 'Whether a check passes, fails or is degraded by its last run: 1 for that status, 0 for the others. All are 0 where the run was inconclusive.',
    samplesOf: ({ status }) => {
      if (status === undefined) return [];
      const word = statusWord(status);
      return RUN_STATUSES.map((name) => ({
        labels: { status: name },
        value: word === name ? 1 : 0,
      }));
    },
  },
  {
    name: 'checkly_time_to_ssl_expiry_seconds',
    help: 'Seconds until the certificate that the last run met ends; below 0 when it has ended.',
    samplesOf: ({ status, now }) => {
      if (!status?.certificate) return [];
      const { domain, notAfter } = status.certificate;
      return [{ labels: { domain }, value: (notAfter - now) / 1_000 }];
    },
  },
  {
    name: 'checkly_heartbeat_last_success_timestamp_seconds',
    help: 'When the last ping came, in seconds since the UNIX epoch; 0 for never.',
    samplesOf: ({ check, status }) => {
      const at = lastPingAt(status);
      return isHeartbeat(check) && at !== undefined ? [{ labels: {}, value: at / 1_000 }] : [];
    },
  },
  {
    name: 'checkly_heartbeat_expected_interval_seconds',
    help: 'Seconds between two pings, as the heartbeat is set.',
    samplesOf: ({ check }) => {
      if (!isHeartbeat(check)) return [];
      const { period, periodUnit } = check.heartbeat;
      return [{ labels: {}, value: (period * UNIT_MS[periodUnit]) / 1_000 }];
    },
  },
];

/** Epoch ms, 0 for never; undefined where an older version wrote the status and it does not say. */
function lastPingAt(status: KeptStatus | undefined): number | undefined {
  if (status === undefined) return 0;
  const { lastPingAt: at, hasFailures, updated_at } = status;
  if (at !== undefined) return at ?? 0;
  return hasFailures || updated_at === null ? undefined : Date.parse(updated_at);
}
