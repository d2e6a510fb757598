import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoredIncident } from '#shared/incidents/incident.ts';
import { headOf } from '#shared/incidents/incident-rules.ts';
import type { StoredMailing } from '#shared/status-pages/mailing.ts';
import type { StoredSubscription } from '#shared/status-pages/subscription.ts';
import type { HistoryRecords } from './history.ts';
import { requireUuid, requireUuidOfTime } from './uuid.ts';

/** Writes incidents, subscriptions and mailings, each as JSON beside the columns that are asked for. */
export class IncidentWriter {
  readonly #putIncident: StatementSync;
  readonly #putSubscription: StatementSync;
  readonly #endSubscription: StatementSync;
  readonly #endPage: StatementSync;
  readonly #putMailing: StatementSync;

  constructor(database: DatabaseSync) {
    this.#putIncident = database.prepare(
      `INSERT INTO incidents
         (id, revision, started_at, ended_at, automated, deleted_at, head, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET revision = excluded.revision, started_at = excluded.started_at,
         ended_at = excluded.ended_at, automated = excluded.automated,
         deleted_at = excluded.deleted_at, head = excluded.head, body = excluded.body
       WHERE excluded.revision > incidents.revision AND incidents.deleted_at IS NULL`,
    );
    this.#putSubscription = database.prepare(
      `INSERT INTO subscriptions (id, page, address, verified, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET verified = excluded.verified, body = excluded.body
       ON CONFLICT DO NOTHING`,
    );
    this.#endSubscription = database.prepare('DELETE FROM subscriptions WHERE id = ?');
    this.#endPage = database.prepare('DELETE FROM subscriptions WHERE page = ?');
    this.#putMailing = database.prepare(
      `INSERT INTO mailings (id, key, open, urgent, due_at, body) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET open = excluded.open, due_at = excluded.due_at,
         body = excluded.body
       WHERE mailings.open = 1
       ON CONFLICT DO NOTHING`,
    );
  }

  /** What is older than what is stored, and a second one of a key, is dropped: that is no error. */
  write(records: HistoryRecords): void {
    for (const incident of records.incidents ?? []) this.#writeIncident(incident);
    for (const subscription of records.subscriptions ?? []) this.#writeSubscription(subscription);
    for (const id of records.endedSubscriptions ?? []) this.#endSubscription.run(requireUuid(id));
    for (const id of records.endedPages ?? []) this.#endPage.run(id);
    for (const mailing of records.mailings ?? []) this.#writeMailing(mailing);
  }

  #writeIncident(incident: StoredIncident): void {
    const id = requireUuidOfTime(incident.id, incident.createdAt);
    const { revision, automation, isDeleted, createdAt, updatedAt } = incident;
    const head = headOf(incident);
    const automated = Number(automation !== null && !isDeleted);
    const deletedAt = isDeleted ? (updatedAt ?? createdAt) : null;
    const columns = [head.startedAt, head.endedAt, automated, deletedAt];
    const texts = [JSON.stringify(head), JSON.stringify(incident)];
    this.#putIncident.run(id, revision, ...columns, ...texts);
  }

  #writeSubscription(subscription: StoredSubscription): void {
    const id = requireUuidOfTime(subscription.id, subscription.createdAt);
    const { pageId, address, status } = subscription;
    const verified = Number(status === 'VERIFIED');
    this.#putSubscription.run(id, pageId, address, verified, JSON.stringify(subscription));
  }

  #writeMailing(mailing: StoredMailing): void {
    const id = requireUuidOfTime(mailing.id, mailing.createdAt);
    const { key, status, content, dueAt } = mailing;
    const open = Number(status === 'PENDING');
    const urgent = Number(content.kind === 'confirmation');
    this.#putMailing.run(id, key, open, urgent, dueAt, JSON.stringify(mailing));
  }
}
