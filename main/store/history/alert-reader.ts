import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoredAlert } from '#shared/alerting/stored-alert.ts';
import type { TimeRange } from '#shared/api/time-range.ts';
import type { ChannelState } from '#shared/notifications/channel-state.ts';
import { FAILED_STATUSES, type StoredNotification } from '#shared/notifications/notification.ts';
import { JsonAnswer } from '../thread/json-answer.ts';
import type { AlertQuery, NotificationPage, NotificationQuery, PendingQuery } from './history.ts';
import { ifJson, recordRow, recordRows, type StoredRecords } from './stored-records.ts';
import {
  BEFORE_EVERY_ID,
  firstUuidAt,
  formatUuid,
  parseUuid,
  requireUuid,
  timeOfUuid,
} from './uuid.ts';

/** What is listed: see {@link AlertReader.listAlerts}. Its time bounds it, so one check needs no index. */
const LISTED_ALERTS = `
  FROM alerts a JOIN checks c ON c.key = a.check_key AND c.forgotten_at IS NULL
  WHERE a.id >= $from AND a.id < $to AND ($check IS NULL OR c.id = $check)
    AND a.alert_type <> 'NO_ALERT'
    AND ($types IS NULL OR a.alert_type IN (SELECT value FROM json_each($types)))
    AND ($withheld IS NULL OR $withheld = (a.withheld IS NOT NULL))`;

/** What is recorded when a check passes again: `NO_ALERT` where nobody knew that it did not. */
const RECOVERY = `
  SELECT a.id FROM alerts a JOIN checks c ON c.key = a.check_key AND c.forgotten_at IS NULL
  WHERE c.id = $check AND a.id > $alert
    AND a.alert_type IN ('ALERT_RECOVERY', 'ALERT_DEGRADED_RECOVERY', 'NO_ALERT')
  ORDER BY a.id LIMIT 1`;

const ALERTING_CHECKS = `
  SELECT c.id FROM alerts a JOIN checks c ON c.key = a.check_key AND c.forgotten_at IS NULL
  WHERE a.id >= $from AND a.id < $to
  GROUP BY c.key ORDER BY count(*) DESC, c.key LIMIT $limit`;

/**
 * A value of the message that carried the notification `n`, which is DIGESTED. A message that was
 * stopped by a restart may have been gathered into another one.
 */
const ofCarrier = (value: string) => `(
  WITH RECURSIVE carriers (id, status, body) AS (
    SELECT id, status, body FROM notifications WHERE id = unhex(${ifJson('n.body')} ->> '$.digestId', '-')
    UNION
    SELECT m.id, m.status, m.body FROM carriers c JOIN notifications m
      ON c.status = 'DIGESTED' AND m.id = unhex(${ifJson('c.body')} ->> '$.digestId', '-'))
  SELECT ${value} FROM carriers WHERE status <> 'DIGESTED')`;

const WITH_CARRIER = `
  CASE n.status WHEN 'DIGESTED' THEN json_set(${ifJson('n.body')}, '$.carrier', json(${ofCarrier(
    `json_object('id', ${ifJson('body')} ->> '$.id', 'status', status, 'outcome', ${ifJson('body')} ->> '$.outcome')`,
  )})) ELSE n.body END`;

const LOGGED_NOTIFICATIONS = `
  FROM notifications n
  WHERE n.id >= $from AND n.id < $to AND ($channel IS NULL OR n.channel = $channel)
    AND ($check IS NULL OR ${ifJson('n.body')} ->> '$.checkId' = $check)
    AND ($failed IS NULL OR $failed = (
      coalesce(CASE n.status WHEN 'DIGESTED' THEN ${ofCarrier('status')} END, n.status)
        IN (SELECT value FROM json_each($failures))))`;

/** Named, as the index of pending notifications is short: that of all ids holds the settled ones too. */
export const PENDING_NOTIFICATIONS = `
  SELECT id, body FROM notifications INDEXED BY owed_notifications
  WHERE owed = 1 AND id > $after ORDER BY id`;

type AlertRow = Pick<
  StoredAlert,
  'checkId' | 'checkType' | 'name' | 'alertType' | 'occasion' | 'withheld' | 'runLocation'
> &
  Pick<StoredAlert, 'responseTime' | 'error' | 'statusCode' | 'startedAt'> & {
    id: Uint8Array;
    result: Uint8Array | null;
  };

/** Answers what is asked of alerts and notifications. */
export class AlertReader {
  readonly #alerts: StatementSync;
  readonly #countAlerts: StatementSync;
  readonly #recovery: StatementSync;
  readonly #alertingChecks: StatementSync;
  readonly #owed: StatementSync;
  readonly #channelStates: StatementSync;
  readonly #notifications: StatementSync;
  readonly #countNotifications: StatementSync;
  readonly #notification: StatementSync;
  readonly #records: StoredRecords;

  constructor(database: DatabaseSync, records: StoredRecords) {
    this.#records = records;
    this.#alerts = database.prepare(
      `SELECT a.id, c.id AS checkId, a.check_type AS checkType, a.name, a.alert_type AS alertType,
         a.occasion, a.withheld, a.location AS runLocation, a.response_ms AS responseTime, a.error,
         a.status_code AS statusCode, a.result, a.started_at AS startedAt
       ${LISTED_ALERTS} ORDER BY a.id DESC LIMIT $limit OFFSET $offset`,
    );
    this.#countAlerts = database.prepare(`SELECT count(*) AS count ${LISTED_ALERTS}`);
    this.#recovery = database.prepare(RECOVERY);
    this.#alertingChecks = database.prepare(ALERTING_CHECKS);
    this.#owed = database.prepare(PENDING_NOTIFICATIONS);
    this.#channelStates = database.prepare('SELECT channel, body FROM channel_states');
    this.#notifications = database.prepare(
      `SELECT n.id, ${WITH_CARRIER} AS body ${LOGGED_NOTIFICATIONS} ORDER BY n.id DESC LIMIT $limit OFFSET $offset`,
    );
    this.#countNotifications = database.prepare(`SELECT count(*) AS count ${LOGGED_NOTIFICATIONS}`);
    this.#notification = database.prepare('SELECT id, body FROM notifications WHERE id = ?');
  }

  /** All but `NO_ALERT`, which says nothing; of what is muted or withheld otherwise, too. */
  listAlerts(query: AlertQuery): { alerts: StoredAlert[]; total: number } {
    const { checkId, types, isWithheld, from, to, limit, offset } = query;
    const asked = {
      from: firstUuidAt(from),
      to: firstUuidAt(to),
      check: checkId ?? null,
      types: types === undefined ? null : JSON.stringify(types),
      withheld: isWithheld === undefined ? null : Number(isWithheld),
    };
    const rows = this.#alerts.all({ ...asked, limit, offset }) as unknown as AlertRow[];
    return { alerts: rows.map(readAlert), total: countIn(this.#countAlerts.get(asked)) };
  }

  findRecoveries(alerts: readonly Pick<StoredAlert, 'id' | 'checkId'>[]): (number | null)[] {
    return alerts.map(({ id, checkId }) => {
      const row = this.#recovery.get({ check: checkId, alert: requireUuid(id) });
      return row === undefined ? null : timeOfUuid(row.id as Uint8Array);
    });
  }

  listAlertingChecks({ from, to, limit }: TimeRange & { limit: number }): string[] {
    const asked = { from: firstUuidAt(from), to: firstUuidAt(to), limit };
    return this.#alertingChecks.all(asked).map(({ id }) => String(id));
  }

  /** Oldest first. */
  loadPendingNotifications({ after, limit }: PendingQuery): JsonAnswer<StoredNotification[]> {
    const seen = after === undefined ? BEFORE_EVERY_ID : requireUuid(after);
    const rows = recordRows(this.#owed.iterate({ after: seen }));
    return new JsonAnswer(this.#records.array('notification', rows, limit));
  }

  /** The state of every channel of which anything is known, by its id. */
  loadChannelStates(): JsonAnswer<[string, ChannelState][]> {
    const rows = this.#channelStates.all().flatMap(({ channel, body }) => {
      const text = this.#records.text('channelState', { name: String(channel), body });
      return text === null ? [] : [`[${JSON.stringify(channel)},${text}]`];
    });
    return new JsonAnswer(`[${rows.join(',')}]`);
  }

  /** Newest first. */
  listNotifications(query: NotificationQuery): JsonAnswer<NotificationPage> {
    const { from, to, channelId, checkId, hasFailures, limit, offset } = query;
    const asked = {
      from: firstUuidAt(from),
      to: firstUuidAt(to),
      channel: channelId ?? null,
      check: checkId ?? null,
      failed: hasFailures === undefined ? null : Number(hasFailures),
      failures: JSON.stringify(FAILED_STATUSES),
    };
    const rows = this.#notifications.all({ ...asked, limit, offset });
    const notifications = this.#records.array('notification', recordRows(rows));
    const total = countIn(this.#countNotifications.get(asked));
    return new JsonAnswer(`{"notifications":${notifications},"total":${total}}`);
  }

  findNotification(notificationId: string): JsonAnswer<StoredNotification> | null {
    const row = this.#notification.get(parseUuid(notificationId));
    const text = row ? this.#records.text('notification', recordRow(row)) : null;
    return text === null ? null : new JsonAnswer(text);
  }
}

function readAlert({ id, result, ...members }: AlertRow): StoredAlert {
  return {
    ...members,
    id: formatUuid(id),
    resultId: result === null ? null : formatUuid(result),
    createdAt: timeOfUuid(id),
  };
}

function countIn(row: Record<string, unknown> | undefined): number {
  return Number(row?.count);
}
