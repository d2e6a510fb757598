import type { AlertNotice } from './notice.ts';

/** The id that no check has. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** What "send a test" sends: an alert that says that it is none. `at` is in epoch milliseconds. */
export function testNotice(at: number): AlertNotice {
  const startedAt = new Date(at).toISOString();
  return {
    kind: 'alert',
    alertType: 'ALERT_FAILURE',
    check: {
      id: NIL_UUID,
      name: 'Test notification',
      type: 'API',
      description: 'No check has failed: this tests the channel.',
      tags: ['test'],
    },
    groupName: null,
    location: null,
    resultId: null,
    resultLink: null,
    startedAt,
    responseTimeMs: 123,
    statusCode: 500,
    statusText: 'Internal Server Error',
    error: 'No check has failed: this tests the channel',
    failedAssertion: {
      source: 'STATUS_CODE',
      property: null,
      comparison: 'EQUALS',
      target: '200',
      actual: '500',
    },
    since: startedAt,
    downForMs: null,
    ssl: null,
    isReminder: false,
    reminderSequence: 0,
  };
}
