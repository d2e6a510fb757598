import { z } from 'zod';
import { alertState } from './alert-state.ts';
import { sslState } from './ssl-state.ts';

/**
 * What the last alert of a trouble told of the run that caused it, for the reminders that say it
 * again. Texts are cut before they come here.
 */
const alertCause = z.strictObject({
  /** The alert's id; null where it was none of its own. */
  alertId: z.string().nullable(),
  resultId: z.string().nullable(),
  /** Of a heartbeat; missing of other checks. */
  eventId: z.string().optional(),
  /** The URL that was asked; missing where none is known. */
  url: z.string().optional(),
  /** Its code. */
  location: z.string().nullable(),
  /** Epoch ms: when the run began. */
  startedAt: z.number(),
  /** Milliseconds. */
  responseTime: z.number().nullable(),
  statusCode: z.number().nullable(),
  statusText: z.string().nullable(),
  error: z.string().nullable(),
  failedAssertion: z
    .strictObject({
      source: z.string(),
      property: z.string().nullable(),
      comparison: z.string(),
      target: z.string().nullable(),
      actual: z.string(),
    })
    .nullable(),
});
export type AlertCause = z.output<typeof alertCause>;

/** All that is kept of a check's alerts with the rest of its state; plain JSON. */
export const keptAlertState = alertState.extend({
  /** Missing while the check passes, and where it never alerted. */
  cause: alertCause.optional(),
  /** Of the incident that this trouble opened, whoever looks after it now; missing where none was. */
  incidentId: z.string().optional(),
  /** Missing where no certificate was ever told of. */
  ssl: sslState.optional(),
});
export type KeptAlertState = z.output<typeof keptAlertState>;
