import { z } from 'zod';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { ALERT_TYPES } from './alert-type.ts';
import { type StoredAlert, UNTOLD_REASONS } from './stored-alert.ts';

/** An alert as the API answers it (specification 2.8). */
export const checkAlert = z.object({
  id: z.guid(),
  name: z.string(),
  checkId: z.guid(),
  alertType: z.enum(ALERT_TYPES),
  checkType: z.enum(CHECK_TYPES),
  /** Left out of a heartbeat, which runs nowhere. */
  runLocation: z.string().optional(),
  /** Milliseconds; left out of a heartbeat. */
  responseTime: z.number().optional(),
  error: z.string().nullable(),
  statusCode: z.string().nullable(),
  created_at: z.iso.datetime(),
  startedAt: z.iso.datetime(),
  /** Why nobody was told; left out where receivers were. */
  withheld: z.enum(UNTOLD_REASONS).optional(),
});
export type CheckAlert = z.output<typeof checkAlert>;

export function viewCheckAlert(alert: StoredAlert): CheckAlert {
  const { responseTime, statusCode } = alert;
  return {
    id: alert.id,
    name: alert.name,
    checkId: alert.checkId,
    alertType: alert.alertType,
    checkType: alert.checkType,
    runLocation: alert.runLocation ?? undefined,
    responseTime: responseTime === null ? undefined : Math.round(responseTime),
    error: alert.error,
    statusCode: statusCode === null ? null : String(statusCode),
    created_at: new Date(alert.createdAt).toISOString(),
    startedAt: new Date(alert.startedAt).toISOString(),
    withheld: alert.withheld ?? undefined,
  };
}
