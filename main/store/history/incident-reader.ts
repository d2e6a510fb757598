import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { IncidentHead, StoredIncident } from '#shared/incidents/incident.ts';
import type { StoredMailing } from '#shared/status-pages/mailing.ts';
import type { StoredSubscription } from '#shared/status-pages/subscription.ts';
import { JsonAnswer } from '../thread/json-answer.ts';
import type {
  IncidentHeadQuery,
  IncidentQuery,
  OpenQuery,
  SubscriberQuery,
  SubscriptionQuery,
} from './history.ts';
import type { RecordKind } from './record-shapes.ts';
import { recordRow, recordRows, type StoredRecords } from './stored-records.ts';
import { BEFORE_EVERY_ID, PAST_EVERY_ID, parseUuid, requireUuid } from './uuid.ts';

/** The open ones apart from the others, so that both are found by their ends in the index. */
export const INCIDENT_HEADS = `
  SELECT id, started_at, head AS body FROM incidents
  WHERE deleted_at IS NULL AND ended_at IS NULL AND started_at < $to
  UNION ALL
  SELECT id, started_at, head AS body FROM incidents
  WHERE deleted_at IS NULL AND ended_at >= $from AND started_at < $to
  ORDER BY started_at DESC, id DESC LIMIT $limit`;

/** Answers what is asked of incidents, subscriptions and mailings. */
export class IncidentReader {
  readonly #records: StoredRecords;
  readonly #incident: StatementSync;
  readonly #ofIds: StatementSync;
  readonly #incidents: StatementSync;
  readonly #automated: StatementSync;
  readonly #heads: StatementSync;
  readonly #subscription: StatementSync;
  readonly #subscriptions: StatementSync;
  readonly #ofAddresses: StatementSync;
  readonly #count: StatementSync;
  readonly #subscribers: StatementSync;
  readonly #mailings: StatementSync;

  constructor(database: DatabaseSync, records: StoredRecords) {
    this.#records = records;
    this.#incident = database.prepare(
      'SELECT id, body FROM incidents WHERE id = ? AND deleted_at IS NULL',
    );
    this.#ofIds = database.prepare(
      `SELECT id, body FROM incidents
       WHERE id IN (SELECT unhex(value, '-') FROM json_each(?)) AND deleted_at IS NULL
       ORDER BY id DESC`,
    );
    this.#incidents = database.prepare(
      'SELECT id, body FROM incidents WHERE id < $before AND deleted_at IS NULL ORDER BY id DESC',
    );
    this.#automated = database.prepare(
      'SELECT id, body FROM incidents WHERE automated = 1 AND id > $after ORDER BY id',
    );
    this.#heads = database.prepare(INCIDENT_HEADS);
    this.#subscription = database.prepare('SELECT id, body FROM subscriptions WHERE id = ?');
    this.#subscriptions = database.prepare(
      'SELECT id, body FROM subscriptions WHERE page = $page AND address > $after ORDER BY address',
    );
    this.#ofAddresses = database.prepare(
      `SELECT id, body FROM subscriptions
       WHERE page = $page AND address IN (SELECT value FROM json_each($addresses))`,
    );
    this.#count = database.prepare('SELECT count(*) AS total FROM subscriptions WHERE page = ?');
    this.#subscribers = database.prepare(
      `SELECT id, body FROM subscriptions
       WHERE page IN (SELECT value FROM json_each($pages)) AND verified = 1 AND address > $after
       ORDER BY address, id`,
    );
    this.#mailings = database.prepare(
      `SELECT id, body FROM mailings WHERE open = 1
       ORDER BY max(due_at, ?), urgent DESC, id`,
    );
  }

  findIncident(incidentId: string): JsonAnswer<StoredIncident> | null {
    return this.#find('incident', this.#incident, incidentId);
  }

  /** Newest first. */
  findIncidents(incidentIds: readonly string[]): JsonAnswer<StoredIncident[]> {
    return this.#array('incident', this.#ofIds.iterate(JSON.stringify(incidentIds)));
  }

  /** Newest first. */
  listIncidents({ limit, before }: IncidentQuery): JsonAnswer<StoredIncident[]> {
    const last = before === undefined ? PAST_EVERY_ID : requireUuid(before);
    return this.#array('incident', this.#incidents.iterate({ before: last }), limit);
  }

  /** Oldest first. */
  loadAutomatedIncidents(query: OpenQuery): JsonAnswer<StoredIncident[]> {
    return this.#array('incident', this.#automated.iterate(afterOf(query)), query.limit);
  }

  /** Newest start first. */
  listIncidentHeads({ from, to, limit }: IncidentHeadQuery): JsonAnswer<IncidentHead[]> {
    return this.#array('incidentHead', this.#heads.iterate({ from, to, limit }));
  }

  findSubscription(subscriptionId: string): JsonAnswer<StoredSubscription> | null {
    return this.#find('subscription', this.#subscription, subscriptionId);
  }

  /** In the order of their addresses. */
  listSubscriptions({
    pageId: page,
    after,
    limit,
  }: SubscriptionQuery): JsonAnswer<StoredSubscription[]> {
    const rows = this.#subscriptions.iterate({ page, after: after ?? '' });
    return this.#array('subscription', rows, limit);
  }

  findSubscriptions({ pageId: page, addresses }: { pageId: string; addresses: readonly string[] }) {
    const rows = this.#ofAddresses.iterate({ page, addresses: JSON.stringify(addresses) });
    const found = this.#array<StoredSubscription>('subscription', rows).parse();
    return { found, total: Number(this.#count.get(page)?.total) };
  }

  /** In the order of their addresses. */
  listSubscribers({ pageIds, after, limit }: SubscriberQuery): JsonAnswer<StoredSubscription[]> {
    const values = { pages: JSON.stringify(pageIds), after: after ?? '' };
    return this.#array('subscription', this.#subscribers.iterate(values), limit);
  }

  /** @param now epoch ms */
  nextMailing(now: number): JsonAnswer<StoredMailing> | null {
    for (const row of recordRows(this.#mailings.iterate(now))) {
      const text = this.#records.text('mailing', row);
      if (text !== null) return new JsonAnswer(text);
    }
    return null;
  }

  #find<T>(kind: RecordKind, statement: StatementSync, id: string): JsonAnswer<T> | null {
    const row = statement.get(parseUuid(id));
    const text = row ? this.#records.text(kind, recordRow(row)) : null;
    return text === null ? null : new JsonAnswer(text);
  }

  #array<T>(kind: RecordKind, rows: Iterable<Record<string, unknown>>, limit?: number) {
    return new JsonAnswer<T[]>(this.#records.array(kind, recordRows(rows), limit));
  }
}

function afterOf({ after }: OpenQuery) {
  return { after: after === undefined ? BEFORE_EVERY_ID : requireUuid(after) };
}
