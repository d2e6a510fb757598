import type { Alert, AlertPolicy } from '#shared/alerting/alert.ts';
import { alertAfter } from '#shared/alerting/alert-after.ts';
import { type AlertState, initialAlertState } from '#shared/alerting/alert-state.ts';
import type { Standing } from '#shared/alerting/alert-type.ts';
import { type FlapSettings, flapSettings } from '#shared/alerting/flap-settings.ts';
import type { Verdict } from '#shared/alerting/outcome.ts';
import { type AlertSettings, alertSettings } from '#shared/checks/blocks.ts';

export const MINUTE = 60_000;

/** Epoch ms of so many minutes after the stories begin. */
export const minute = (minutes: number) => Date.parse('2026-01-05T12:00:00Z') + minutes * MINUTE;

interface PolicyMembers {
  threshold?: AlertSettings['runBasedEscalation']['failedRunThreshold'];
  minutesFailing?: AlertSettings['timeBasedEscalation']['minutesFailingThreshold'];
  reminders?: Partial<AlertSettings['reminders']>;
  percentage?: AlertSettings['parallelRunFailureThreshold']['percentage'];
  muted?: boolean;
  silenced?: boolean;
  /** Off unless given; then with less of a window than by default, for shorter stories. */
  flapping?: Partial<FlapSettings>;
}

export function policy(members: PolicyMembers = {}): AlertPolicy {
  const { threshold, minutesFailing, reminders, percentage, flapping } = members;
  return {
    settings: alertSettings.parse({
      escalationType: minutesFailing === undefined ? 'RUN_BASED' : 'TIME_BASED',
      runBasedEscalation: { failedRunThreshold: threshold },
      timeBasedEscalation: { minutesFailingThreshold: minutesFailing },
      reminders: { ...reminders },
      parallelRunFailureThreshold: { enabled: percentage !== undefined, percentage },
    }),
    muted: members.muted ?? false,
    silenced: members.silenced ?? false,
    flapping: flapSettings.parse({
      enabled: flapping !== undefined,
      withinRuns: 10,
      settledAfterRuns: 5,
      ...flapping,
    }),
  };
}

const VERDICTS = {
  P: 'passing',
  D: 'degraded',
  F: 'failing',
  i: 'inconclusive',
} as const satisfies Record<string, Verdict>;
export type Letter = keyof typeof VERDICTS;
export const LETTERS = { passing: 'P', degraded: 'D', failing: 'F' } as const satisfies {
  [S in Standing]: Letter;
};

export function verdictsOf(story: string): Verdict[] {
  return [...story].map((letter) => VERDICTS[letter as Letter]);
}

export interface Told {
  state: AlertState;
  /** One for each run. */
  alerts: (Alert | null)[];
}

export interface NotificationRequest {
  policy?: AlertPolicy;
  state?: AlertState;
  /** The minute of the first run, and those from one to the next. */
  from?: number;
  every?: number;
}

/** Runs, one a letter: `PFD` passes, fails, and is degraded. */
export function tell(story: string, telling: NotificationRequest = {}): Told {
  let state = telling.state ?? initialAlertState;
  const alerts = verdictsOf(story).map((verdict, run) => {
    const at = minute((telling.from ?? 0) + run * (telling.every ?? 1));
    const decision = alertAfter(state, { at, verdicts: [verdict] }, telling.policy ?? policy());
    state = decision.state;
    return decision.alert;
  });
  return { state, alerts };
}

/** An alert in a word or two: `FAILURE`, `(RECOVERY muted)`, `FAILURE flapping`; `-` for none. */
export function brief(alert: Alert | null): string {
  if (alert === null) return '-';
  const type = alert.type.replace('ALERT_', '');
  const occasion = alert.occasion === 'run' ? '' : ` ${alert.occasion}`;
  return alert.notify ? `${type}${occasion}` : `(${type}${occasion} ${alert.withheld})`;
}

/** What each run of a story says. */
export function said(story: string, telling?: NotificationRequest): string[] {
  return tell(story, telling).alerts.map(brief);
}
