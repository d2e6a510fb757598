import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { initialAlertState } from '#shared/alerting/alert-state.ts';
import type { KeptAlertState } from '#shared/alerting/kept-alert-state.ts';
import type { StoredAlert } from '#shared/alerting/stored-alert.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import { FAILURE } from '../../fixtures/notification-contents.ts';
import { NOON } from './records.ts';

/** An alert of an API check that failed, but for what a test sets. */
export function makeAlert(given: Partial<StoredAlert> = {}): StoredAlert {
  const createdAt = given.createdAt ?? NOON;
  return {
    id: v7({ msecs: createdAt }),
    checkId: randomUUID(),
    checkType: 'API',
    name: 'a check',
    alertType: 'ALERT_FAILURE',
    occasion: 'run',
    withheld: null,
    runLocation: 'eu-west-1',
    responseTime: 11.7,
    error: 'Nobody listens at 127.0.0.1:9.',
    statusCode: 503,
    resultId: v7({ msecs: createdAt }),
    startedAt: createdAt - 12,
    createdAt,
    ...given,
  };
}

/** A notification that is owed to a webhook, but for what a test sets. */
export function makeNotification(given: Partial<StoredNotification> = {}): StoredNotification {
  const createdAt = given.createdAt ?? NOON;
  return {
    id: v7({ msecs: createdAt }),
    channelId: '1',
    channelType: 'WEBHOOK',
    status: 'PENDING',
    notice: FAILURE,
    checkId: randomUUID(),
    checkType: 'API',
    checkAlertId: v7({ msecs: createdAt }),
    checkResultId: v7({ msecs: createdAt }),
    tries: 0,
    dueAt: createdAt,
    createdAt,
    settledAt: null,
    outcome: null,
    digestId: null,
    ...given,
  };
}

/** Of a check that fails, and of which people were told. */
export const FAILING: KeptAlertState = {
  ...initialAlertState,
  standing: 'failing',
  streak: { runs: 3, since: NOON },
  troubleSince: NOON,
  raised: { type: 'ALERT_FAILURE', sent: true, reminders: 1, lastAt: NOON },
  told: { degraded: false, failing: true },
};
