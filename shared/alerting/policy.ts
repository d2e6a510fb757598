import { type AlertSettings, alertSettings } from '#shared/checks/blocks.ts';
import type { AlertPolicy, Withheld } from './alert.ts';

interface AlertingCheck {
  useGlobalAlertSettings: boolean;
  alertSettings: AlertSettings | null;
}

const DEFAULTS = alertSettings.parse({});

/**
 * The alert settings of a check, its group's override already in it: the account's
 * where the check says so, else its own; `null` means the defaults.
 */
export function alertSettingsOf(check: AlertingCheck, account: AlertSettings): AlertSettings {
  return check.useGlobalAlertSettings ? account : (check.alertSettings ?? DEFAULTS);
}

/** What keeps every message of a check back for now, reminders too; null where nothing does. */
export function quietedBy({
  muted,
  silenced,
}: Pick<AlertPolicy, 'muted' | 'silenced'>): Withheld | null {
  if (muted) return 'muted';
  return silenced ? 'maintenance' : null;
}
