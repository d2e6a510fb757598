import { z } from 'zod';
import { ALERT_OCCASIONS } from '#shared/alerting/alert.ts';
import { checkAlert, viewCheckAlert } from '#shared/alerting/check-alert.ts';
import type { StoredAlert } from '#shared/alerting/stored-alert.ts';
import {
  alertNotification,
  type ShownNotification,
  viewAlertNotification,
} from './alert-notification.ts';

/** An alert and what was sent for it, newest first. */
export interface ToldAlert {
  alert: StoredAlert;
  told: readonly ShownNotification[];
  /** Epoch ms: when the check passed again. */
  endedAt: number | null;
}

/** The same as the interface reads it. */
export const toldAlert = checkAlert.extend({
  occasion: z.enum(ALERT_OCCASIONS),
  /** The result that caused it; null of a heartbeat or a certificate. */
  checkResultId: z.guid().nullable(),
  told: z.array(alertNotification),
  /** When the check passed again; null while it does not, and of what says no trouble. */
  endedAt: z.iso.datetime().nullable(),
});

export function viewToldAlert({ alert, told, endedAt }: ToldAlert): z.output<typeof toldAlert> {
  return {
    ...viewCheckAlert(alert),
    occasion: alert.occasion,
    checkResultId: alert.resultId,
    told: told.map(viewAlertNotification),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
  };
}
