import { describe, expect, test } from 'vitest';
import { assertionText } from '#shared/notifications/assertion-text.ts';
import { incidentKey } from '#shared/notifications/incident-key.ts';
import { durationText, messageOf } from '#shared/notifications/message.ts';
import type { NotificationContent } from '#shared/notifications/notice.ts';
import { testNotice } from '#shared/notifications/notice.ts';
import { titleOf, toneOf } from '#shared/notifications/title.ts';
import { NOTICE_VARIABLES, variablesOf } from '#shared/notifications/variables.ts';
import {
  BLIND,
  CHECK_ID,
  DIGEST,
  FAILURE,
  FLAPPING,
  LINK,
  RECOVERY,
  SSL,
} from '../../fixtures/notification-contents.ts';

const shop = { ...FAILURE, check: { ...FAILURE.check, name: 'Shop' } };

const BURN = {
  ...BLIND,
  condition: 'SLO_BURN' as const,
  slo: { id: '0190b6f0-0000-7000-8000-000000000001', name: 'Shop' },
};

describe('every notice has one line that says it all, and a tone', () => {
  test.each<[NotificationContent, string, string]>([
    [shop, '"Shop" has failed', 'down'],
    [{ ...shop, alertType: 'ALERT_FAILURE_REMAIN' }, '"Shop" has failed', 'down'],
    [{ ...shop, alertType: 'ALERT_DEGRADED_FAILURE' }, '"Shop" has failed', 'down'],
    [{ ...shop, isReminder: true, reminderSequence: 2 }, '"Shop" has failed (reminder 2)', 'down'],
    [{ ...shop, alertType: 'ALERT_DEGRADED' }, '"Shop" is degraded', 'degraded'],
    [{ ...shop, alertType: 'ALERT_DEGRADED_REMAIN' }, '"Shop" is degraded', 'degraded'],
    [{ ...shop, alertType: 'ALERT_FAILURE_DEGRADED' }, '"Shop" is degraded', 'degraded'],
    [{ ...shop, alertType: 'ALERT_RECOVERY' }, '"Shop" has recovered', 'up'],
    [{ ...shop, alertType: 'ALERT_DEGRADED_RECOVERY' }, '"Shop" has recovered', 'up'],
    [SSL, 'The certificate of shop.example.com will expire in 7 days', 'warning'],
    [
      { ...SSL, ssl: { daysRemaining: 1, domain: 'a.test' } },
      'The certificate of a.test will expire in 1 day',
      'warning',
    ],
    [
      { ...SSL, ssl: { daysRemaining: -1, domain: 'a.test' } },
      'The certificate of a.test has expired',
      'warning',
    ],
    [DIGEST, '500 checks have failed', 'down'],
    [{ ...DIGEST, direction: 'degraded' }, '500 checks are degraded', 'degraded'],
    [{ ...DIGEST, direction: 'recovered' }, '500 checks have recovered', 'up'],
    [{ ...DIGEST, direction: 'expiring' }, '500 certificates will expire soon', 'warning'],
    [{ ...FLAPPING, check: shop.check }, '"Shop" is flapping', 'degraded'],
    [
      { ...FLAPPING, check: shop.check, settledAs: 'passing' },
      '"Shop" has settled: it is passing',
      'up',
    ],
    [
      { ...FLAPPING, check: shop.check, settledAs: 'failing' },
      '"Shop" has settled: it is failing',
      'down',
    ],
    [BLIND, 'The monitor itself is blind', 'warning'],
    [{ ...BLIND, isOver: true }, 'The monitor can see again', 'up'],
    [{ ...BLIND, condition: 'CHANNEL_DEAD' }, 'An alert channel does not work', 'warning'],
    [BURN, 'The error budget of "Shop" burns fast', 'warning'],
    [{ ...BURN, isOver: true }, 'The error budget of "Shop" no longer burns fast', 'up'],
  ])('%#: %s', (notice, title, tone) => {
    expect([titleOf(notice), toneOf(notice)]).toEqual([title, tone]);
  });
});

const saysOf = (notice: NotificationContent) =>
  messageOf(notice).facts.map(({ label, value }) => `${label}: ${value}`);

describe('a message says what people ask first', () => {
  test('of a failure: what, since when, where, the value seen, and a link', () => {
    expect(saysOf({ ...FAILURE, error: 'boom' }).slice(0, 4)).toEqual([
      'Error: boom',
      'Target: https://shop.example.com/health',
      'Assertion: status: wanted 200, got 503',
      'Since: 2026-01-15 11:58:00 UTC',
    ]);
    expect(messageOf(FAILURE).link).toBe(LINK);
  });

  test.each([
    [['STATUS_CODE', null, 'EQUALS', '200', '500'], 'status: wanted 200, got 500'],
    [['JSON_BODY', '$.a', 'IS_NULL', '', '"x"'], 'JSON body $.a: wanted null, got "x"'],
    [['HEADERS', 'server', 'NOT_EMPTY', null, ''], 'headers server: wanted something, got '],
    [['RESPONSE_TIME', '', 'LESS_THAN', '5', '9'], 'response time: wanted less than 5, got 9'],
  ] as const)('of the assertion %j: %s', (words, text) => {
    const [source, property, comparison, target, actual] = words;
    const failedAssertion = { source, property, comparison, target, actual };
    expect(assertionText(failedAssertion)).toBe(text);
    expect(saysOf({ ...FAILURE, failedAssertion })).toContain(`Assertion: ${text.trim()}`);
  });

  test('of a test: that it is one, and of no failure', () => {
    const notice = testNotice(Date.UTC(2026, 0, 15));
    expect(messageOf(notice)).toMatchObject({ title: 'Test notification', tone: 'info' });
    expect(saysOf(notice)).toEqual([
      'About: No check has failed: this tests the channel.',
      'Sent at: 2026-01-15 00:00:00 UTC',
    ]);
    expect(variablesOf(notice)).toMatchObject({
      ALERT_TITLE: 'Test notification',
      ALERT_TYPE: 'TEST',
      CHECK_ERROR_MESSAGE: null,
    });
  });

  test('of a recovery: how long it was down', () => {
    expect(saysOf(RECOVERY)[0]).toBe('Was down for: 1 h 2 min');
  });

  test('of a storm: the first causes, the groups, some checks', () => {
    expect(saysOf(DIGEST)).toEqual([
      'First causes: connection refused; timeout',
      'Groups: Shops (300), no group (200)',
      'Checks: "one", "two" and 498 more',
      'Since: 2026-01-15 12:00:00 UTC',
    ]);
  });

  test('of flapping and of the monitor itself', () => {
    expect(saysOf(FLAPPING).slice(0, 2)).toEqual([
      'Changes: 6 within 10 min',
      'Alerts: held until it settles',
    ]);
    expect(saysOf({ ...BLIND, isOver: true, lastedMs: 600_000 })).toEqual([
      'Reason: the gateway 192.168.0.1 does not answer',
      'Since: 2026-01-15 11:58:00 UTC',
      'Lasted: 10 min',
    ]);
  });
});

test('a message is on single lines of a bounded length', () => {
  const check = { ...FAILURE.check, name: `a\r\nb\u2028${'x'.repeat(600)}` };
  const { title, facts } = messageOf({ ...FAILURE, check, error: `e\n${'y'.repeat(5_000)}` });
  expect(title).toMatch(/^"a b x+…$/);
  expect(title).toHaveLength(250);
  expect(facts[0]?.value).toHaveLength(900);
});

test.each([
  [0, 'under 1 s'],
  [-5, 'under 1 s'],
  [999, 'under 1 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [90_500, '1 min 30 s'],
  [3_600_000, '1 h'],
  [3_605_000, '1 h'],
  [7_500_000, '2 h 5 min'],
  [98 * 3_600_000, '4 d 2 h'],
])('%i ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

describe('the variables of templates', () => {
  test('are all there for every notice', () => {
    for (const notice of [FAILURE, RECOVERY, SSL, DIGEST, FLAPPING, BLIND, testNotice(0)]) {
      expect(Object.keys(variablesOf(notice))).toEqual([...NOTICE_VARIABLES]);
    }
  });

  test('of an alert', () => {
    expect(
      variablesOf({ ...FAILURE, error: 'boom', isReminder: true, reminderSequence: 1 }),
    ).toMatchObject({
      ALERT_TITLE: '"Shop "A&B" <eu>" has failed (reminder 1)',
      ALERT_TYPE: 'ALERT_FAILURE',
      CHECK_NAME: 'Shop "A&B" <eu>',
      CHECK_ID,
      CHECK_TYPE: 'API',
      CHECK_DESCRIPTION: 'The shop',
      CHECK_RESULT_ID: 'r-1',
      CHECK_ERROR_MESSAGE: 'boom',
      RESPONSE_TIME: 235,
      API_CHECK_RESPONSE_STATUS_CODE: 503,
      API_CHECK_RESPONSE_STATUS_TEXT: 'Service Unavailable',
      RUN_LOCATION: 'Ireland',
      REGION: 'eu-west-1',
      RESULT_LINK: LINK,
      SSL_DAYS_REMAINING: null,
      SSL_CHECK_DOMAIN: null,
      STARTED_AT: '2026-01-15T12:00:00.000Z',
      TAGS: ['team:ops', 'prod'],
      GROUP_NAME: 'Shops',
      IS_REMINDER: true,
      REMINDER_SEQUENCE: 1,
      AI_ANALYSIS_LINK: null,
    });
  });

  test('status code and text are of URL checks, too', () => {
    const check = { ...FAILURE.check, type: 'URL' as const };
    expect(variablesOf({ ...FAILURE, check })).toMatchObject({
      API_CHECK_RESPONSE_STATUS_CODE: 503,
      API_CHECK_RESPONSE_STATUS_TEXT: 'Service Unavailable',
      FAILED_ASSERTION: 'status: wanted 200, got 503',
      CHECK_TARGET: 'https://shop.example.com/health',
    });
  });

  test('the certificate is of ALERT_SSL only', () => {
    expect(variablesOf(SSL)).toMatchObject({
      SSL_DAYS_REMAINING: 7,
      SSL_CHECK_DOMAIN: 'shop.example.com',
    });
    expect(variablesOf({ ...FAILURE, ssl: SSL.ssl })).toMatchObject({ SSL_DAYS_REMAINING: null });
  });

  test('what is no alert has the type that receivers sort the same', () => {
    const types = [DIGEST, { ...DIGEST, direction: 'recovered' as const }, FLAPPING, BLIND];
    expect(types.map((notice) => variablesOf(notice).ALERT_TYPE)).toEqual([
      'ALERT_FAILURE',
      'ALERT_RECOVERY',
      'ALERT_DEGRADED',
      'ALERT_FAILURE',
    ]);
  });
});

test('what is blank is not said, and half a character is none', () => {
  const notice = { ...FAILURE, error: ' \n ', groupName: 'a\ud800' };
  const facts = messageOf(notice).facts.map(({ label, value }) => [label, value]);
  expect(facts).not.toContainEqual(expect.arrayContaining(['Error']));
  expect(facts).toContainEqual(['Group', 'a\ufffd']);
});

test('beginning and end of a trouble have the same key', () => {
  expect(incidentKey(FAILURE)).toBe(incidentKey(RECOVERY));
  expect(incidentKey(DIGEST)).toBe(incidentKey({ ...DIGEST, direction: 'recovered' }));
  expect(incidentKey(DIGEST)).not.toBe(incidentKey({ ...DIGEST, incident: 'another' }));
  expect(incidentKey(BLIND)).toBe(incidentKey({ ...BLIND, isOver: true }));
  const dead = { ...BLIND, condition: 'CHANNEL_DEAD' as const };
  expect(incidentKey({ ...dead, channelId: '1' })).not.toBe(
    incidentKey({ ...dead, channelId: '2' }),
  );
  expect(incidentKey(BURN)).toBe(incidentKey({ ...BURN, isOver: true }));
  const other = { id: '0190b6f0-0000-7000-8000-000000000002', name: 'Shop' };
  expect(incidentKey(BURN)).not.toBe(incidentKey({ ...BURN, slo: other }));
  expect(incidentKey(BURN)?.length).toBeLessThanOrEqual(100);
  expect(incidentKey(SSL)).not.toBe(incidentKey(FAILURE));
});
