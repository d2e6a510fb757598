import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AlertQuery, History, NotificationQuery } from '#main/store/history/history.ts';
import { ALERT_TYPES } from '#shared/alerting/alert-type.ts';
import { UNTOLD_REASONS } from '#shared/alerting/stored-alert.ts';
import type { ChannelState } from '#shared/notifications/channel-state.ts';
import { NOTIFICATION_STATUSES, SETTLED_STATUSES } from '#shared/notifications/notification.ts';
import { DIGEST } from '../../fixtures/notification-contents.ts';
import { FAILING, makeAlert, makeNotification } from './alert-records.ts';
import { makeResult, makeResults, NOON } from './records.ts';

const SECOND = 1_000;

/** What every history does with alerts, notifications and what the alert decision needs. */
export function alertsContract(name: string, open: () => Promise<History>): void {
  // One for all tests, each with checks and channels of its own: starting threads takes a while.
  let history: History;
  let checkId: string;
  let channelId: string;
  let channels = 0;
  beforeAll(async () => {
    history = await open();
  });
  beforeEach(() => {
    checkId = randomUUID();
    channels += 1;
    channelId = String(channels);
  });
  afterAll(() => history.close());

  const period = { from: NOON, to: NOON + 10 * SECOND, limit: 100, offset: 0 };
  const listAlerts = (query: Partial<AlertQuery> = {}) =>
    history.listAlerts({ ...period, checkId, ...query });
  const listNotifications = (query: Partial<NotificationQuery> = {}) =>
    history.listNotifications({ ...period, channelId, ...query });

  describe(`alerts in the ${name}`, () => {
    test('an alert is listed as it was written, once', async () => {
      const alert = makeAlert({ checkId, name: 'Größe "1"', withheld: 'muted' });
      await history.write({ alerts: [alert, alert] });
      await history.write({ alerts: [{ ...alert, name: 'another' }] });
      expect(await listAlerts()).toEqual({ alerts: [alert], total: 1 });
    });

    test('an alert may lack whatever its cause does not have', async () => {
      const nothing = { runLocation: null, responseTime: null, error: null, statusCode: null };
      const alert = makeAlert({ checkId, checkType: 'HEARTBEAT', resultId: null, ...nothing });
      await history.write({ alerts: [alert] });
      expect((await listAlerts()).alerts).toEqual([alert]);
    });

    test('alerts are newest first, by pages, and the total counts them', async () => {
      const alerts = [2, 0, 1].map((at) => makeAlert({ checkId, createdAt: NOON + at }));
      await history.write({ alerts });
      const times = async (query: Partial<AlertQuery>) => {
        const page = await listAlerts(query);
        return [page.alerts.map(({ createdAt }) => createdAt - NOON), page.total];
      };
      expect(await times({})).toEqual([[2, 1, 0], 3]);
      expect(await times({ limit: 2 })).toEqual([[2, 1], 3]);
      expect(await times({ limit: 2, offset: 2 })).toEqual([[0], 3]);
      expect(await times({ from: NOON + 1, to: NOON + 2 })).toEqual([[1], 1]);
    });

    test('without a check those of all checks are listed', async () => {
      const own = await open();
      const alerts = [0, 1].map((at) => makeAlert({ createdAt: NOON + at }));
      await own.write({ alerts });
      expect((await own.listAlerts(period)).alerts).toEqual(alerts.toReversed());
      await own.forget(alerts[0]?.checkId ?? '');
      expect(await own.listAlerts(period)).toEqual({ alerts: alerts.slice(1), total: 1 });
      await own.close();
    });

    test('every alert is listed but NO_ALERT, whether anybody was told or not', async () => {
      const all = ALERT_TYPES.flatMap((alertType) =>
        [null, ...UNTOLD_REASONS].map((withheld) => makeAlert({ checkId, alertType, withheld })),
      );
      await history.write({ alerts: all });
      const { alerts, total } = await listAlerts();
      expect(new Set(alerts)).toEqual(
        new Set(all.filter(({ alertType }) => alertType !== 'NO_ALERT')),
      );
      expect(total).toBe(alerts.length);
    });

    test('alerts are listed by their type, and by whether they were withheld', async () => {
      const alerts = (['ALERT_FAILURE', 'ALERT_RECOVERY', 'ALERT_SSL'] as const).flatMap(
        (alertType, at) => [
          makeAlert({ checkId, alertType, createdAt: NOON + at }),
          makeAlert({ checkId, alertType, createdAt: NOON + at, withheld: 'muted' }),
        ],
      );
      await history.write({ alerts });
      const places = async (query: Partial<AlertQuery>) => {
        const page = await listAlerts(query);
        expect(page.total).toBe(page.alerts.length);
        return page.alerts.map(({ id }) => alerts.findIndex((one) => one.id === id)).toSorted();
      };
      expect(await places({ types: ['ALERT_FAILURE', 'ALERT_SSL'] })).toEqual([0, 1, 4, 5]);
      expect(await places({ isWithheld: true })).toEqual([1, 3, 5]);
      expect(await places({ types: ['ALERT_SSL'], isWithheld: false })).toEqual([4]);
    });

    test('an alert ends with the first recovery of its check after it', async () => {
      const types = [
        'ALERT_FAILURE',
        'ALERT_DEGRADED',
        'ALERT_RECOVERY',
        'ALERT_DEGRADED',
      ] as const;
      const alerts = [...types, 'NO_ALERT' as const, 'ALERT_FAILURE' as const].map(
        (alertType, at) => makeAlert({ checkId, alertType, createdAt: NOON + at }),
      );
      const other = makeAlert({ alertType: 'ALERT_RECOVERY', createdAt: NOON + 9 });
      await history.write({ alerts: [...alerts, other] });
      const ends = await history.findRecoveries(alerts);
      expect(ends).toEqual([2, 2, 4, 4, null, null].map((at) => at && NOON + at));
    });

    test('the checks that alerted in a time come with the most alerts first', async () => {
      const own = await open();
      const [quiet, noisy] = [randomUUID(), randomUUID()];
      const at = (id: string, ms: number) => makeAlert({ checkId: id, createdAt: NOON + ms });
      await own.write({ alerts: [at(quiet, 0), at(quiet, 20), at(noisy, 1), at(noisy, 2)] });
      const of = (to: number, limit: number) =>
        own.listAlertingChecks({ from: NOON, to: NOON + to, limit });
      expect(await of(10, 9)).toEqual([noisy, quiet]);
      expect(await of(10, 1)).toEqual([noisy]);
      expect(await of(1, 9)).toEqual([quiet]);
      await own.close();
    });

    test('who watches alerts hears of each write of them and of notifications', async () => {
      let heard = 0;
      const stop = history.watchAlerts(() => {
        heard += 1;
      });
      await history.write({ alerts: [makeAlert({ checkId })] });
      await history.write({ notifications: [makeNotification({ channelId })] });
      await history.write({ results: [makeResult({ checkId })] });
      stop();
      await history.write({ alerts: [makeAlert({ checkId })] });
      expect(heard).toBe(2);
    });

    test('alerts are forgotten with their check, and late ones dropped', async () => {
      await history.write({ alerts: [makeAlert({ checkId })] });
      await history.forget(checkId);
      await history.write({ alerts: [makeAlert({ checkId })] });
      expect(await listAlerts()).toEqual({ alerts: [], total: 0 });
    });
  });

  describe(`notifications in the ${name}`, () => {
    test('a notification is found by its id as it was last written', async () => {
      const owed = makeNotification();
      await history.write({ notifications: [owed] });
      expect(await history.findNotification(owed.id)).toEqual(owed);
      const tried = { ...owed, status: 'IN_PROGRESS' as const, tries: 2, dueAt: NOON + 20_000 };
      await history.write({ notifications: [tried] });
      expect(await history.findNotification(owed.id)).toEqual(tried);
    });

    test.each([v7(), 'no-uuid', ''])('no notification is found by the id %j', async (id) => {
      expect(await history.findNotification(id)).toBeNull();
    });

    test.each(SETTLED_STATUSES)(
      'a notification that is kept as %s never changes again',
      async (status) => {
        const settled = makeNotification({ status, settledAt: NOON + 9, outcome: '204' });
        await history.write({ notifications: [{ ...settled, status: 'IN_PROGRESS' }, settled] });
        await history.write({ notifications: [{ ...settled, status: 'PENDING', tries: 5 }] });
        await history.write({ notifications: [{ ...settled, status: 'FAILURE', tries: 6 }] });
        expect(await history.findNotification(settled.id)).toEqual(settled);
      },
    );

    test('what is owed is loaded oldest first, and nothing else', async () => {
      const own = await open();
      const all = NOTIFICATION_STATUSES.map((status, at) =>
        makeNotification({ status, createdAt: NOON - at }),
      );
      await own.write({ notifications: all });
      const [pending, inProgress] = all;
      expect(await own.loadPendingNotifications({ limit: 100 })).toEqual([inProgress, pending]);
      const told = [pending, inProgress].flatMap((owed) =>
        owed === undefined ? [] : [{ ...owed, status: 'SUCCESS' as const }],
      );
      await own.write({ notifications: told });
      expect(await own.loadPendingNotifications({ limit: 100 })).toEqual([]);
      await own.close();
    });

    test('what is owed is loaded by pages, each after the last id of the one before', async () => {
      const own = await open();
      // Two of one moment are in the order of their ids, too.
      const all = [0, 1, 1, 2, 3].map((at) => makeNotification({ createdAt: NOON + at }));
      const [first, second, third, fourth, last] = all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      await own.write({ notifications: all });
      const page = (after?: string) => own.loadPendingNotifications({ after, limit: 2 });
      expect(await page()).toEqual([first, second]);
      expect(await page(second?.id)).toEqual([third, fourth]);
      expect(await page(fourth?.id)).toEqual([last]);
      expect(await page(last?.id)).toEqual([]);
      // Also after an id that is owed no more, or never was.
      if (third) await own.write({ notifications: [{ ...third, status: 'SUCCESS' }] });
      expect(await page(third?.id)).toEqual([fourth, last]);
      expect(await page(v7({ msecs: NOON - 1 }))).toEqual([first, second]);
      await own.close();
    });

    test('the log is newest first, by pages, and the total counts it', async () => {
      const notifications = [1, 2, 0].map((at) =>
        makeNotification({ channelId, createdAt: NOON + at, notice: DIGEST, checkId: null }),
      );
      await history.write({ notifications });
      const [second, third, first] = notifications;
      expect(await listNotifications()).toEqual({
        notifications: [third, second, first],
        total: 3,
      });
      expect(await listNotifications({ limit: 1, offset: 1 })).toEqual({
        notifications: [second],
        total: 3,
      });
      expect(await listNotifications({ from: NOON + 1, to: NOON + 2 })).toEqual({
        notifications: [second],
        total: 1,
      });
      expect((await listNotifications({ channelId: '4711' })).total).toBe(0);
    });

    test('the log of a check holds what is about it alone', async () => {
      const mine = makeNotification({ channelId, checkId });
      const others = [
        makeNotification({ channelId }),
        makeNotification({ channelId, checkId: null }),
      ];
      await history.write({ notifications: [mine, ...others] });
      expect(await listNotifications({ checkId })).toEqual({ notifications: [mine], total: 1 });
    });

    test('failures are those of which nobody was told', async () => {
      const notifications = NOTIFICATION_STATUSES.map((status) =>
        makeNotification({ channelId, status }),
      );
      await history.write({ notifications });
      const statuses = async (hasFailures?: boolean) => {
        const page = await listNotifications({ hasFailures });
        expect(page.total).toBe(page.notifications.length);
        return new Set(page.notifications.map(({ status }) => status));
      };
      expect(await statuses(true)).toEqual(new Set(['FAILURE', 'RATE_LIMITED']));
      const others = new Set(['PENDING', 'IN_PROGRESS', 'SUCCESS', 'DIGESTED']);
      expect(await statuses(false)).toEqual(others);
      expect(await statuses()).toEqual(new Set(NOTIFICATION_STATUSES));
    });

    test('what was gathered is logged with what became of the message that carried it', async () => {
      const digest = makeNotification({ channelId, status: 'FAILURE', outcome: 'HTTP 500' });
      // A message that a restart stopped was gathered into the next one.
      const stopped = makeNotification({ channelId, status: 'DIGESTED', digestId: digest.id });
      const first = makeNotification({ channelId, status: 'DIGESTED', digestId: stopped.id });
      const lost = makeNotification({ channelId, status: 'DIGESTED', digestId: v7() });
      await history.write({ notifications: [digest, stopped, first, lost] });
      const carrier = { id: digest.id, status: 'FAILURE', outcome: 'HTTP 500' };
      const gathered = [stopped, first].map((one) => ({ ...one, carrier }));
      const { notifications } = await listNotifications({ hasFailures: true });
      expect(new Set(notifications)).toEqual(new Set([digest, ...gathered]));
      expect(await listNotifications({ hasFailures: false })).toEqual({
        notifications: [{ ...lost, carrier: null }],
        total: 1,
      });
    });

    test('what is owed of a forgotten check is told, and its log stays', async () => {
      const owed = makeNotification({ checkId, channelId });
      await history.write({ results: [makeResult({ checkId })], notifications: [owed] });
      await history.forget(checkId);
      expect(await history.loadPendingNotifications({ limit: 100 })).toContainEqual(owed);
      const told = { ...owed, status: 'SUCCESS' as const, settledAt: NOON + 1 };
      await history.write({ notifications: [told] });
      expect((await listNotifications()).notifications).toEqual([told]);
    });
  });

  describe(`what is known of channels in the ${name}`, () => {
    const dead: ChannelState = {
      health: { failedInRow: 3, failingSince: NOON, dead: { probes: 1, probeAt: NOON + SECOND } },
      incidents: [],
    };
    const known = async () => (await history.loadChannelStates()).get(channelId);

    test('comes back as it was last written', async () => {
      expect(await known()).toBeUndefined();
      await history.write({ channelStates: [{ channelId, state: dead }] });
      expect(await known()).toEqual(dead);
      const well = { ...dead, health: { failedInRow: 0, failingSince: null, dead: null } };
      await history.write({ channelStates: [{ channelId, state: well }] });
      expect(await known()).toEqual(well);
    });

    test('is forgotten where nothing is known any more', async () => {
      await history.write({ channelStates: [{ channelId, state: dead }] });
      await history.write({ channelStates: [{ channelId, state: null }] });
      expect(await known()).toBeUndefined();
    });
  });

  describe(`what the alert decision needs in the ${name}`, () => {
    test('its state comes back as it was, and is replaced with the rest', async () => {
      const alertOf = async () => (await history.loadStates()).get(checkId);
      await history.write({
        states: [{ checkId, state: { actor: {}, status: null, alert: FAILING } }],
      });
      expect(await alertOf()).toEqual({ actor: {}, status: null, alert: FAILING });
      await history.write({ states: [{ checkId, state: { actor: { a: 1 }, status: null } }] });
      expect(await alertOf()).toEqual({ actor: { a: 1 }, status: null });
    });

    test('outcomes are the final results of several checks, oldest first', async () => {
      const other = randomUUID();
      const results = [
        ...makeResults(checkId, 3),
        ...makeResults(other, 2, { createdAt: NOON + SECOND / 2, hasErrors: true }),
        makeResult({ checkId, resultType: 'ATTEMPT', createdAt: NOON + 1 }),
        makeResult({ createdAt: NOON + 2 }),
      ];
      await history.write({ results });
      const list = async (given: object = {}) => {
        const query = { checkIds: [checkId, other, randomUUID()], ...period, ...given };
        const outcomes = await history.listOutcomes(query);
        return outcomes.map(({ checkId: id, createdAt, hasErrors }) => {
          expect(hasErrors).toBe(id === other);
          return createdAt - NOON;
        });
      };
      expect(await list()).toEqual([0, 500, 1_000, 1_500, 2_000]);
      expect(await list({ limit: 2 })).toEqual([0, 500]);
      expect(await list({ from: NOON + 500, to: NOON + 1_500 })).toEqual([500, 1_000]);
      expect(await list({ checkIds: [other] })).toEqual([500, 1_500]);
      expect(await list({ checkIds: [] })).toEqual([]);
    });

    test('an outcome has the flags and the run of its result', async () => {
      const flags = { hasFailures: true, hasErrors: false, isDegraded: true };
      await history.write({ results: [makeResult({ checkId, checkRunId: 77, ...flags })] });
      expect(await history.listOutcomes({ checkIds: [checkId], ...period })).toEqual([
        { checkId, checkRunId: 77, createdAt: NOON, ...flags },
      ]);
    });

    test('a forgotten check has no outcomes', async () => {
      await history.write({ results: [makeResult({ checkId })] });
      await history.forget(checkId);
      expect(await history.listOutcomes({ checkIds: [checkId], ...period })).toEqual([]);
    });
  });
}
