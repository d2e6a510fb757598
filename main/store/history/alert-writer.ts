import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoredAlert } from '#shared/alerting/stored-alert.ts';
import type { ChannelState } from '#shared/notifications/channel-state.ts';
import { isUnsent, type StoredNotification } from '#shared/notifications/notification.ts';
import { requireUuid, requireUuidOfTime } from './uuid.ts';

const MAX_ERROR_LENGTH = 2_000;

/**
 * Writes alerts, their notifications and the states of their channels, in the transaction of the result
 * that raised them: none is lost, and none is sent for a result that was not written.
 */
export class AlertWriter {
  readonly #insertAlert: StatementSync;
  readonly #putNotification: StatementSync;
  readonly #replaceState: StatementSync;
  readonly #deleteState: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insertAlert = database.prepare(
      `INSERT INTO alerts (check_key, id, check_type, name, alert_type, occasion, withheld, location,
         response_ms, error, status_code, result, started_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    this.#putNotification = database.prepare(
      `INSERT INTO notifications (id, owed, channel, status, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET owed = excluded.owed, channel = excluded.channel,
         status = excluded.status, body = excluded.body
       WHERE notifications.owed = 1`,
    );
    this.#replaceState = database.prepare(
      'INSERT OR REPLACE INTO channel_states (channel, body) VALUES (?, ?)',
    );
    this.#deleteState = database.prepare('DELETE FROM channel_states WHERE channel = ?');
  }

  /** @throws StoreError `INVALID` where the id is no UUIDv7 of its `createdAt` */
  writeAlert(checkKey: number, alert: StoredAlert): void {
    this.#insertAlert.run(
      checkKey,
      requireUuidOfTime(alert.id, alert.createdAt),
      alert.checkType,
      alert.name,
      alert.alertType,
      alert.occasion,
      alert.withheld,
      alert.runLocation,
      alert.responseTime,
      alert.error?.slice(0, MAX_ERROR_LENGTH) ?? null,
      alert.statusCode,
      alert.resultId === null ? null : requireUuid(alert.resultId),
      alert.startedAt,
    );
  }

  /**
   * One that is kept as settled is never changed again, whatever comes late; that is no error.
   * @throws StoreError `INVALID` where the id is no UUIDv7 of its `createdAt`
   */
  writeNotification(notification: StoredNotification): void {
    const { id, createdAt, channelId, status } = notification;
    const owed = Number(isUnsent(status));
    const body = JSON.stringify(notification);
    this.#putNotification.run(requireUuidOfTime(id, createdAt), owed, channelId, status, body);
  }

  /** Null: nothing is known any more. */
  writeChannelState(channelId: string, state: ChannelState | null): void {
    if (state === null) this.#deleteState.run(channelId);
    else this.#replaceState.run(channelId, JSON.stringify(state));
  }
}
