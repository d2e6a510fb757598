import { randomUUID } from 'node:crypto';
import {
  MAX_INCIDENT_TEXT,
  MAX_INCIDENT_UPDATES,
  type StoredIncident,
  type StoredIncidentUpdate,
} from '#shared/incidents/incident.ts';
import type { IncidentUpdateBody } from '#shared/status-pages/incident-body.ts';
import {
  correctedUpdate,
  newIncidentUpdate,
  publicDateProblem,
} from '#shared/status-pages/incident-changes.ts';
import type { IncidentStore } from './incident-store.ts';
import { conflict, notFound, refuseProblems } from './service-error.ts';

/** What people say of an incident, from one moment to the next. */
export class IncidentUpdates {
  readonly #store: IncidentStore;

  constructor(store: IncidentStore) {
    this.#store = store;
  }

  /** In the order they were made. @throws ServiceError NOT_FOUND for the incident */
  async all(id: string): Promise<readonly StoredIncidentUpdate[]> {
    return (await this.#store.find(id)).updates;
  }

  /** @throws ServiceError NOT_FOUND for the incident or the update */
  async find(id: string, updateId: string): Promise<StoredIncidentUpdate> {
    return updateOf(await this.#store.find(id), updateId);
  }

  /**
   * Automation leaves the incident alone from then on.
   *
   * @throws ServiceError NOT_FOUND, INVALID for a date out of bounds, CONFLICT for too many or too long ones
   */
  async add(id: string, body: IncidentUpdateBody): Promise<StoredIncidentUpdate> {
    const updateId = randomUUID();
    const changed = await this.#store.change(id, (incident, now) => {
      const { updates } = incident;
      if (updates.length >= MAX_INCIDENT_UPDATES) {
        throw conflict(`The incident has ${updates.length} updates already`);
      }
      refusePublicDate(body, now);
      const posted = newIncidentUpdate(body, updates, { id: updateId, now });
      refuseTooLong([...updates, posted]);
      return { incident: byPerson(incident, [...updates, posted]), posted };
    });
    return updateOf(changed, updateId);
  }

  /** Corrects what was said; nobody is mailed. @throws ServiceError as {@link add} */
  async edit(
    id: string,
    updateId: string,
    body: IncidentUpdateBody,
  ): Promise<StoredIncidentUpdate> {
    const changed = await this.#store.change(id, (incident, now) => {
      const before = updateOf(incident, updateId);
      refusePublicDate(body, now);
      const edited = correctedUpdate(before, body);
      const updates = incident.updates.map((one) => (one === before ? edited : one));
      if (edited.description.length > before.description.length) refuseTooLong(updates);
      return { incident: byPerson(incident, updates) };
    });
    return updateOf(changed, updateId);
  }

  /** @throws ServiceError NOT_FOUND, or CONFLICT for the only update: an incident has at least one */
  async delete(id: string, updateId: string): Promise<void> {
    await this.#store.change(id, (incident) => {
      const gone = updateOf(incident, updateId);
      const updates = incident.updates.filter((one) => one !== gone);
      if (updates.length === 0) throw conflict('It is the only update of the incident');
      return { incident: byPerson(incident, updates) };
    });
  }
}

function byPerson(incident: StoredIncident, updates: StoredIncidentUpdate[]): StoredIncident {
  return { ...incident, updates, automation: null };
}

function refuseTooLong(updates: readonly StoredIncidentUpdate[]): void {
  const length = updates.reduce((sum, { description }) => sum + description.length, 0);
  if (length <= MAX_INCIDENT_TEXT) return;
  throw conflict(
    `The updates of the incident would have ${length} of at most ${MAX_INCIDENT_TEXT} characters`,
  );
}

function updateOf({ id, updates }: StoredIncident, updateId: string): StoredIncidentUpdate {
  const update = updates.find((one) => one.id === updateId);
  if (update === undefined) throw notFound(`The incident ${id} has no update ${updateId}`);
  return update;
}

/** @param path of the update in the body. @throws ServiceError INVALID for a date out of bounds */
export function refusePublicDate(
  { publicIncidentUpdateDate: date }: IncidentUpdateBody,
  now: number,
  path = '',
): void {
  const message = publicDateProblem(date, now);
  if (message === null) return;
  const problems = [{ path: `${path}publicIncidentUpdateDate`, message }];
  refuseProblems({ source: 'payload', problems });
}
