import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import type { StoredIncident, StoredIncidentUpdate } from '#shared/incidents/incident.ts';
import type { StoredMailing } from '#shared/status-pages/mailing.ts';
import type { StoredSubscription } from '#shared/status-pages/subscription.ts';
import { NOON } from './records.ts';

/** A first update of an incident, but for what a test sets. */
export function makeUpdate(given: Partial<StoredIncidentUpdate> = {}): StoredIncidentUpdate {
  const createdAt = given.createdAt ?? NOON;
  return {
    id: randomUUID(),
    description: 'We look into it.',
    status: 'INVESTIGATING',
    publishedAt: createdAt,
    createdAt,
    notifySubscribers: false,
    ...given,
  };
}

/** An open incident that a person opened, but for what a test sets. */
export function makeIncident(given: Partial<StoredIncident> = {}): StoredIncident {
  const createdAt = given.createdAt ?? NOON;
  const created_at = '2025-12-01T00:00:00.000Z';
  return {
    id: v7({ msecs: createdAt }),
    revision: 1,
    name: 'Checkout is down',
    severity: 'MAJOR',
    services: [{ id: randomUUID(), name: 'Checkout', created_at, updated_at: null }],
    updates: [makeUpdate({ createdAt })],
    automation: null,
    createdAt,
    updatedAt: null,
    isDeleted: false,
    ...given,
  };
}

/** One that began and ended then, epoch ms. */
export function makeEndedIncident(
  startedAt: number,
  endedAt: number,
  given: Partial<StoredIncident> = {},
): StoredIncident {
  const updates = [
    makeUpdate({ createdAt: startedAt }),
    makeUpdate({ createdAt: endedAt, status: 'RESOLVED' }),
  ];
  return makeIncident({ createdAt: startedAt, updates, ...given });
}

/** A verified subscription, but for what a test sets. */
export function makeSubscription(given: Partial<StoredSubscription> = {}): StoredSubscription {
  const createdAt = given.createdAt ?? NOON;
  const id = v7({ msecs: createdAt });
  return {
    id,
    pageId: randomUUID(),
    address: `reader-${id}@example.com`,
    status: 'VERIFIED',
    token: 'a-token',
    createdAt,
    updatedAt: createdAt,
    ...given,
  };
}

/** A pending mailing that asks for a confirmation, but for what a test sets. */
export function makeMailing(given: Partial<StoredMailing> = {}): StoredMailing {
  const createdAt = given.createdAt ?? NOON;
  const id = v7({ msecs: createdAt });
  return {
    id,
    key: `key ${id}`,
    pageIds: [],
    content: { kind: 'confirmation', subscriptionId: randomUUID() },
    status: 'PENDING',
    after: null,
    isAtEnd: false,
    deferred: [],
    sent: 0,
    failed: 0,
    dueAt: createdAt,
    createdAt,
    ...given,
  };
}
