import { describe, expect, it } from 'vitest';
import { ALERT_TYPES } from '#shared/alerting/alert-type.ts';
import { AlertWorld, alertingCheck } from '../../fixtures/alert-world.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { FAILING, simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const threshold = (failedRunThreshold: 1 | 2 | 3) => ({
  runBasedEscalation: { failedRunThreshold },
});

/** From the runs of a check to what is recorded and what is sent: each row of the guide's table. */
const STORIES: [
  name: string,
  runs: string,
  runsToAlert: 1 | 2 | 3,
  recorded: string[],
  told: string[],
][] = [
  ['passing → passing', 'PPP', 1, [], []],
  ['passing → degraded', 'PD', 1, ['DEGRADED'], ['DEGRADED']],
  ['passing → failing', 'PF', 1, ['FAILURE'], ['FAILURE']],
  [
    'degraded → passing',
    'DP',
    1,
    ['DEGRADED', 'DEGRADED_RECOVERY'],
    ['DEGRADED', 'DEGRADED_RECOVERY'],
  ],
  ['degraded → passing, untold', 'DP', 2, ['(NO_ALERT untold)'], []],
  ['degraded → degraded', 'DDD', 2, ['DEGRADED_REMAIN'], ['DEGRADED_REMAIN']],
  ['degraded → failing', 'DF', 3, ['DEGRADED_FAILURE'], ['DEGRADED_FAILURE']],
  ['failing → passing', 'FP', 1, ['FAILURE', 'RECOVERY'], ['FAILURE', 'RECOVERY']],
  ['failing → passing, untold', 'FP', 2, ['(NO_ALERT untold)'], []],
  ['failing → degraded', 'FD', 3, ['FAILURE_DEGRADED'], ['FAILURE_DEGRADED']],
  ['failing → failing', 'FFFF', 3, ['FAILURE_REMAIN'], ['FAILURE_REMAIN']],
  ['inconclusive runs between', 'FiiF', 2, ['FAILURE_REMAIN'], ['FAILURE_REMAIN']],
];

describe('what a run causes is recorded and sent', () => {
  it.each(STORIES)('%s: %s with %d runs to the alert', async (_, runs, needed, recorded, told) => {
    const world = await AlertWorld.begin(alertingCheck(threshold(needed)));
    await world.run(runs);
    expect(world.recorded).toEqual(recorded);
    expect(world.told).toEqual(told);
  });

  it('in every type that a run can cause', () => {
    const types = STORIES.flatMap(([, , , recorded]) => recorded);
    const seen = types.map((type) => type.replace(/\((\w+) .*/, '$1'));
    const all = ALERT_TYPES.map((type) => type.replace('ALERT_', ''));
    expect([...new Set(seen)].sort()).toEqual(all.filter((type) => type !== 'SSL').sort());
  });
});

it('an alert names the run that caused it, and its notification what a message needs', async () => {
  const world = await AlertWorld.begin(alertingCheck({}, { name: 'Shop', tags: ['prod'] }));
  await world.run('PF');
  const result = world.history.results.at(-1)?.result;
  expect(world.alerts).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      checkId: world.check.id,
      checkType: 'URL',
      name: 'Shop',
      alertType: 'ALERT_FAILURE',
      occasion: 'run',
      withheld: null,
      runLocation: 'local',
      responseTime: 0,
      error: 'Connection refused',
      statusCode: 200,
      resultId: result?.id,
      startedAt: result?.startedAt,
      createdAt: result?.createdAt,
    },
  ]);
  const since = new Date(result?.createdAt ?? 0).toISOString();
  expect(world.sent).toEqual([
    expect.objectContaining({
      channelId: '1',
      channelType: 'EMAIL',
      status: 'PENDING',
      checkId: world.check.id,
      checkAlertId: world.alerts[0]?.id,
      checkResultId: result?.id,
      createdAt: result?.createdAt,
      notice: {
        kind: 'alert',
        alertType: 'ALERT_FAILURE',
        check: {
          id: world.check.id,
          name: 'Shop',
          type: 'URL',
          description: null,
          tags: ['prod'],
          target: 'http://127.0.0.1:9/',
        },
        groupName: null,
        location: { code: 'local', name: 'local' },
        resultId: result?.id,
        resultLink: `https://watch.example.com/v1/check-results/${world.check.id}/${result?.id}`,
        startedAt: new Date(result?.startedAt ?? 0).toISOString(),
        responseTimeMs: 0,
        statusCode: 200,
        statusText: null,
        error: 'Connection refused',
        failedAssertion: null,
        since,
        downForMs: null,
        ssl: null,
        isReminder: false,
        reminderSequence: 0,
      },
    }),
  ]);
  expect([...world.history.ofAlerts.notifications.values()]).toEqual(world.sent);
});

it('the log has a line for each change of state, also of a check that alerts nobody', async () => {
  const { log, lines } = recordedLog();
  const check = alertingCheck({}, { name: 'Shop', alertChannelSubscriptions: [], muted: true });
  const { runner, clock } = await simulatedMonitor([check], { log });
  runner.outcomes.push({}, FAILING, FAILING, { isDegraded: true }, {}, {});
  await clock.advance(8 * 60_000);
  expect(lines).toMatchObject([
    { level: 'warn', checkId: check.id, msg: '"Shop" is failing: Connection refused' },
    { level: 'warn', checkId: check.id, msg: '"Shop" is degraded.' },
    { level: 'info', checkId: check.id, msg: '"Shop" is passing again.' },
  ]);
});

it('a recovery says how long the check was down, and since when', async () => {
  const world = await AlertWorld.begin();
  await world.run('PFFFP');
  const [failure, recovery] = world.sent.map(({ notice }) => notice);
  expect(recovery).toMatchObject({
    alertType: 'ALERT_RECOVERY',
    since: failure?.kind === 'alert' ? failure.since : '',
    downForMs: 180_000,
  });
});

it('a message names the assertion that did not hold, with the value seen', async () => {
  const world = await AlertWorld.begin();
  const assertion = {
    source: 'STATUS_CODE',
    property: '',
    comparison: 'EQUALS',
    target: '200',
    regex: '',
  };
  const apiCheckResult = {
    assertions: [
      { ...assertion, order: 0, error: null, actual: 200 },
      { ...assertion, order: 1, error: 'Expected …', actual: 503 },
    ],
    request: { url: 'https://user:pass@shop.example.com/health?key=k3y#top' },
    response: { status: 503, statusText: 'Service Unavailable' },
  };
  world.life.runner.outcomes.push({
    hasFailures: true,
    statusCode: 503,
    failure: { cause: 'ASSERTION', message: 'Expected the status to be 200, but got 503' },
    detail: JSON.stringify({ apiCheckResult }),
  });
  await world.life.clock.advance(10_000);
  expect(world.sent[0]?.notice).toMatchObject({
    check: { target: 'https://shop.example.com/health' },
    statusCode: 503,
    statusText: 'Service Unavailable',
    failedAssertion: {
      source: 'STATUS_CODE',
      property: null,
      comparison: 'EQUALS',
      target: '200',
      actual: '503',
    },
  });
});
