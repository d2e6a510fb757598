import type { TestNotice } from './notice.ts';

/** The id that no check has. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** What "send a test" sends: values for every part of a template, and no trouble. `at` is in epoch milliseconds. */
export function testNotice(at: number): TestNotice {
  const startedAt = new Date(at).toISOString();
  return {
    kind: 'test',
    check: {
      id: NIL_UUID,
      name: 'Test notification',
      type: 'API',
      description: 'No check has failed: this tests the channel.',
      tags: ['test'],
      target: 'https://test.example.com/',
    },
    groupName: null,
    location: null,
    resultId: null,
    resultLink: null,
    startedAt,
    responseTimeMs: 123,
    statusCode: 200,
    statusText: 'OK',
    error: null,
    failedAssertion: null,
    since: null,
    downForMs: null,
    ssl: null,
    isReminder: false,
    reminderSequence: 0,
  };
}
