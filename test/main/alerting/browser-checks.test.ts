import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { digestOf } from '#main/notifications/digest.ts';
import { alertSettings } from '#shared/checks/blocks.ts';
import type { CheckOf } from '#shared/checks/check.ts';
import { messageOf } from '#shared/notifications/message.ts';
import { titleOf } from '#shared/notifications/title.ts';
import { variablesOf } from '#shared/notifications/variables.ts';
import type { RunResult } from '#shared/runs/protocol.ts';
import { addChannel } from '../../fixtures/alert-world.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const SECOND = 1_000;
const ERROR = [
  'Error: expect(locator).toHaveText(expected) failed',
  '',
  'Expected: "Welcome"',
  'Received: "Oops"',
  '',
  'Call log:',
  '  - waiting for getByRole("heading")',
].join('\n');

/** A run whose script failed on its second page. */
const FAILED: Partial<RunResult> = {
  hasFailures: true,
  statusCode: null,
  responseTime: 7_000,
  failure: { cause: 'SCRIPT', message: ERROR },
  metrics: { TTFB: 80, LCP: 900, consoleErrors: 1 },
  laterPages: [{ TTFB: 90 }],
  detail: JSON.stringify({
    browserCheckResult: {
      type: 'PLAYWRIGHT',
      errors: [{ message: ERROR, location: { file: 'shop.spec.ts', line: 12, column: 3 } }],
      pages: [
        { url: 'https://shop.example.com/login?token=t' },
        { url: 'https://shop.example.com/' },
      ],
    },
  }),
};

/** A check of a type every ten minutes, with a channel that wants all there is. */
async function monitored(checkType: 'BROWSER' | 'MULTI_STEP' | 'PLAYWRIGHT', members = {}) {
  const configuration = new MemoryConfiguration();
  await addChannel(configuration, '1', { sslExpiry: true, sslExpiryThreshold: 30 });
  const check = makeCheck(checkType, {
    // Its slots go by its id: none of them is within half a minute of its first run.
    id: '0cf7b4ed-b2b4-4591-a0aa-fcedc149dc6c',
    name: 'Shop',
    frequency: 10,
    retryStrategy: null,
    useGlobalAlertSettings: false,
    alertSettings: alertSettings.parse({}),
    alertChannelSubscriptions: [{ alertChannelId: 1, activated: true }],
    ...members,
  }) as CheckOf<'BROWSER'>;
  const { log, lines } = recordedLog();
  const life = await simulatedMonitor([check], { configuration, log });
  const run = async (...outcomes: Partial<RunResult>[]) => {
    life.runner.outcomes.push(...outcomes);
    while (life.runner.outcomes.length > 0) await life.clock.advance(5 * SECOND);
    await life.clock.advance(20 * SECOND);
  };
  const alerts = () => [...life.history.ofAlerts.alerts.values()].map(({ alertType }) => alertType);
  return { ...life, check, run, alerts, lines };
}

describe('a browser check whose script fails', () => {
  test('is told of in one line where there is one, and in all of its lines elsewhere', async () => {
    const { run, outbox, lines, history } = await monitored('BROWSER');
    await run({}, FAILED);
    const [notification] = outbox.taken;
    if (notification === undefined) throw new Error('Nothing was sent.');
    const { notice } = notification;
    expect(titleOf(notice)).toBe('"Shop" has failed');
    const { facts } = messageOf(notice);
    const line = ERROR.replaceAll(/\n+/g, ' ');
    expect(facts).toContainEqual({ label: 'Error', value: line });
    expect(facts).toContainEqual({ label: 'Target', value: 'https://shop.example.com/login' });
    expect(facts).toContainEqual({ label: 'Check type', value: 'BROWSER' });
    expect(variablesOf(notice)).toMatchObject({ CHECK_ERROR_MESSAGE: ERROR, RESPONSE_TIME: 7_000 });
    expect(lines.map(({ msg }) => msg).filter((msg) => msg.includes('\n'))).toEqual([]);
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: expect.stringMatching(/^"Shop" is failing: Error: expect/) }),
    );
    expect(history.results.at(-1)?.result).toMatchObject({
      failure: { cause: 'SCRIPT', message: ERROR },
      metrics: FAILED.metrics,
      laterPages: FAILED.laterPages,
    });

    const other = { ...notification, id: randomUUID() };
    other.notice = { ...notice, check: { ...checkOf(notice), id: randomUUID() } } as typeof notice;
    const digest = digestOf([notification, other], { id: randomUUID(), at: 0 });
    const [cause = ''] = (digest.notification.notice as { causes?: string[] }).causes ?? [];
    expect(cause).toMatch(/^Error: expect\(locator\)\.toHaveText\(expected\) failed/);
    expect(cause).not.toContain('\n');
    expect(cause.length).toBeLessThanOrEqual(200);
  });

  test.each(['TIMEOUT_RUN', 'OUT_OF_MEMORY', 'TOO_MANY_PROCESSES'] as const)(
    'for %s, alerts as any failure does',
    async (cause) => {
      const { run, alerts } = await monitored('BROWSER');
      await run({}, { ...FAILED, failure: { cause, message: 'It was ended' } }, {});
      expect(alerts()).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY']);
    },
  );
});

test.each(['BROWSER', 'MULTI_STEP', 'PLAYWRIGHT'] as const)(
  'a %s check is degraded where its script says so, and stays as it was where it could not be run',
  async (checkType) => {
    const { run, alerts, root, check } = await monitored(checkType);
    const degraded = { isDegraded: true };
    const notMade = {
      hasErrors: true,
      failure: { cause: 'UNSUPPORTED', message: 'No Chromium was found' },
    } as const;
    await run({}, degraded, notMade);
    expect(alerts()).toEqual(['ALERT_DEGRADED']);
    expect(root.statusOf(check.id)).toMatchObject({ hasErrors: true, hasFailures: false });
    await run({});
    expect(alerts()).toEqual(['ALERT_DEGRADED', 'ALERT_DEGRADED_RECOVERY']);
  },
);

test('the certificate of a browser check alerts before it ends, also where the run could not be made', async () => {
  const { run, alerts, clock, root, check, runner } = await monitored('BROWSER', {
    sslCheckDomain: 'shop.example.com',
  });
  const certificate = { domain: 'shop.example.com', notAfter: clock.now() + 20.5 * 86_400_000 };
  const failure = { cause: 'UNSUPPORTED', message: 'No Chromium was found' } as const;
  runner.outcome = { hasErrors: true, failure, certificate };
  await run(runner.outcome);
  expect(alerts()).toEqual(['ALERT_SSL']);
  expect(root.statusOf(check.id)).toMatchObject({ sslDaysRemaining: 20, certificate });
});

test('a retry of network errors only is made of none that a script met: what it did is not known', async () => {
  const onlyOn = { type: 'FIXED', baseBackoffSeconds: 1, maxRetries: 2, sameRegion: true };
  const strict = await monitored('BROWSER', {
    retryStrategy: { ...onlyOn, onlyOn: ['NETWORK_ERROR'] },
  });
  await strict.run(FAILED);
  expect(strict.runner.requests).toHaveLength(1);
  const plain = await monitored('BROWSER', { retryStrategy: onlyOn });
  await plain.run(FAILED, FAILED, FAILED);
  expect(plain.history.results.map(({ result }) => result.resultType)).toEqual([
    'ATTEMPT',
    'ATTEMPT',
    'FINAL',
  ]);
});

function checkOf(notice: object): object {
  return (notice as { check: object }).check;
}
