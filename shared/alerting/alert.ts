import type { AlertSettings } from '#shared/checks/blocks.ts';
import type { AlertState, Told } from './alert-state.ts';
import type { AlertType } from './alert-type.ts';
import type { FlapSettings } from './flap-settings.ts';

/** All that decides about a check's alerts besides its runs. */
export interface AlertPolicy {
  /** The settings that apply: see `alertSettingsOf`. */
  settings: AlertSettings;
  /** The check, or its group, is muted. */
  muted: boolean;
  /** A maintenance window silences alerts at this moment. */
  silenced: boolean;
  flapping: FlapSettings;
}

/**
 * Why nobody is told of an alert. `untold`: it is over, and nobody had been told that it began.
 */
export const WITHHELD = ['untold', 'flapping', 'muted', 'maintenance'] as const;
export type Withheld = (typeof WITHHELD)[number];

/**
 * What gives rise to an alert: a run; the time since the last message (`reminder`); a run which
 * shows that the check is flapping, said in place of what the run says; or a flapping check that
 * has settled.
 */
export const ALERT_OCCASIONS = ['run', 'reminder', 'flapping', 'settled'] as const;
export type AlertOccasion = (typeof ALERT_OCCASIONS)[number];

/** What is recorded, and what is sent. */
export interface Alert {
  type: AlertType;
  occasion: AlertOccasion;
  /**
   * Whether it is an alert of its own, to be listed by `GET /v1/check-alerts`. Otherwise it says the
   * last one again: every reminder does, and a check that settled where its last alert left it.
   */
  isNew: boolean;
  /** Whether to send it: exactly where `withheld` is null. */
  notify: boolean;
  withheld: Withheld | null;
  /** 0 for the alert itself, then 1, 2, … (`REMINDER_SEQUENCE` of templates). */
  reminderSequence: number;
  /**
   * Epoch ms: since when the check has stood where the alert says or, of a recovery, had stood where
   * it stood before.
   */
  since: number;
  /** Epoch ms: when the check stopped passing or, where it flaps or has settled, began to flap. */
  troubleSince: number;
  /** How many changes of standing that flapping was; 0 where the alert is not about flapping. */
  changes: number;
  /** What receivers had been told of the trouble before: see `channelWants`. */
  told: Told;
}

export interface AlertDecision {
  /** To be stored in one transaction with what caused it, and with the alert. */
  state: AlertState;
  /** Null where there is nothing to record and nothing to say. */
  alert: Alert | null;
}
