import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { changedTimes } from '#shared/maintenance/changed-state.ts';
import { momentOf, zoneOf } from '#shared/maintenance/local-time.ts';
import {
  MAX_CHANGED,
  MAX_UPDATES,
  type MaintenanceChange,
  type MaintenanceStatus,
  type MaintenanceUpdate,
  type maintenancePatch,
  type UpdateBody,
  type updateEdit,
} from '#shared/maintenance/maintenance.ts';
import { movedBy, STATUSES_AFTER } from '#shared/maintenance/maintenance-status.ts';
import {
  findMaintenance,
  listedMaintenances,
  type MaintenanceOf,
  statusOf,
  type UpdateOf,
} from '#shared/maintenance/occurrences.ts';
import { type MaintenanceWindows, WINDOWS } from './maintenance-windows.ts';
import type { ServiceParts } from './resource.ts';
import { conflict, notFound, refuseProblems } from './service-error.ts';

/** What an occurrence is found by. */
interface OccurrenceId {
  /** Of the window. */
  id: number;
  maintenanceId: string;
}

/** The occurrences of maintenance windows, and what people say of them. */
export class Maintenances {
  readonly #parts: ServiceParts;
  readonly #windows: MaintenanceWindows;

  constructor(parts: ServiceParts, windows: MaintenanceWindows) {
    this.#parts = parts;
    this.#windows = windows;
  }

  /** Those around now, in the order of their planned starts. */
  list(windowId: number): MaintenanceOf[] {
    const window = this.#windows.find(windowId);
    const nowMs = this.#parts.clock.now();
    return listedMaintenances(window, nowMs).map((maintenance) => ({ maintenance, window, nowMs }));
  }

  /** @throws ServiceError NOT_FOUND for the window or the occurrence */
  find({ id, maintenanceId }: OccurrenceId): MaintenanceOf {
    const window = this.#windows.find(id);
    const maintenance = findMaintenance(window, maintenanceId);
    if (maintenance === null) {
      throw notFound(`The maintenance window ${id} has no occurrence ${maintenanceId}`);
    }
    return { maintenance, window, nowMs: this.#parts.clock.now() };
  }

  /** Moves an occurrence. @throws ServiceError CONFLICT where it is over or cancelled */
  move(id: OccurrenceId, body: z.output<typeof maintenancePatch>): Promise<MaintenanceOf> {
    return this.#change(id, (found) => {
      const status = statusOf(found);
      if (status === 'COMPLETED' || status === 'CANCELLED') {
        throw conflict(`The occurrence is ${status} and cannot be moved`);
      }
      const changed = { ...found.maintenance, ...body };
      refuseBackwards(changed, zoneOf(found.window.timezone));
      return changed;
    });
  }

  /** The window is not open then. */
  async delete(id: OccurrenceId): Promise<void> {
    await this.#change(id, ({ maintenance }) => ({ ...maintenance, isDeleted: true, updates: [] }));
  }

  /** Says how an occurrence goes, which may start or end it now. */
  async addUpdate(id: OccurrenceId, body: UpdateBody): Promise<UpdateOf> {
    const updateId = randomUUID();
    const changed = await this.#change(id, (found) => {
      const { maintenance } = found;
      const { updates } = maintenance;
      if (updates.length >= MAX_UPDATES) {
        throw conflict(`The occurrence has ${updates.length} updates already`);
      }
      const { update, dates } = makeUpdate(updateId, body, found);
      return { ...maintenance, ...dates, updates: [...updates, update] };
    });
    return withUpdate(changed, updateId);
  }

  /** Corrects what was said; the dates of the occurrence stay. */
  async editUpdate(
    id: OccurrenceId,
    updateId: string,
    body: z.output<typeof updateEdit>,
  ): Promise<UpdateOf> {
    const changed = await this.#change(id, ({ maintenance }) => {
      const before = findUpdate(maintenance, updateId);
      const { status = before.status, description } = body;
      refuseStep(before.previousStatus, status);
      const edited = { ...before, status, description };
      const updates = maintenance.updates.map((one) => (one === before ? edited : one));
      return { ...maintenance, updates };
    });
    return withUpdate(changed, updateId);
  }

  /** Takes back what was said; the dates of the occurrence stay. */
  async deleteUpdate(id: OccurrenceId, updateId: string): Promise<void> {
    await this.#change(id, ({ maintenance }) => {
      const gone = findUpdate(maintenance, updateId);
      return { ...maintenance, updates: maintenance.updates.filter((one) => one !== gone) };
    });
  }

  /** Changes an occurrence; CONFLICT where too many were changed. */
  #change(
    id: OccurrenceId,
    change: (found: MaintenanceOf) => MaintenanceChange,
  ): Promise<MaintenanceOf> {
    return this.#parts.mutex(WINDOWS, async () => {
      const found = this.find(id);
      const { window, nowMs } = found;
      const maintenance = { ...change(found), updated_at: new Date(nowMs).toISOString() };
      const others = window.changes.filter(({ plannedAt }) => plannedAt !== maintenance.plannedAt);
      if (others.length >= MAX_CHANGED) {
        throw conflict(`${others.length} occurrences of the window were changed already`);
      }
      const changes = [...others, maintenance];
      await this.#parts.configuration.maintenanceWindows.put({ ...window, changes });
      return { ...found, maintenance };
    });
  }
}

function withUpdate(found: MaintenanceOf, updateId: string): UpdateOf {
  return { ...found, update: findUpdate(found.maintenance, updateId) };
}

function refuseBackwards(dates: { startsAt: string; endsAt: string }, zone: string): void {
  if (momentOf(dates.endsAt, zone) >= momentOf(dates.startsAt, zone)) return;
  const problems = [{ path: 'endsAt', message: 'expected a moment not before startsAt' }];
  refuseProblems({ source: 'payload', problems });
}

/** The update that a body asks for, and the dates of the occurrence that it moves. */
function makeUpdate(
  id: string,
  body: UpdateBody,
  found: MaintenanceOf,
): { update: MaintenanceUpdate; dates: { startsAt?: string; endsAt?: string } } {
  const { maintenance, window, nowMs } = found;
  const previousStatus = statusOf(found);
  refuseStep(previousStatus, body.status);
  const now = new Date(nowMs).toISOString();
  const moved = movedBy(body.status, changedTimes(maintenance, window), nowMs);
  const dates = moved === null ? {} : { [moved]: now };
  const update = {
    id,
    ...body,
    created_at: now,
    previousStatus,
    previousStartsAt: moved === 'startsAt' ? maintenance.startsAt : null,
    previousEndsAt: moved === 'endsAt' ? maintenance.endsAt : null,
    dateAdjustments: moved === null ? null : dates,
  };
  return { update, dates };
}

function refuseStep(from: MaintenanceStatus, to: MaintenanceStatus): void {
  const allowed = STATUSES_AFTER[from];
  if (allowed.includes(to)) return;
  const message = `expected ${allowed.join(' or ')} after ${from}, got ${to}`;
  refuseProblems({ source: 'payload', problems: [{ path: 'status', message }] });
}

function findUpdate({ updates }: MaintenanceChange, updateId: string): MaintenanceUpdate {
  const update = updates.find(({ id }) => id === updateId.toLowerCase());
  if (update === undefined) throw notFound(`The occurrence has no update ${updateId}`);
  return update;
}
