import { z } from 'zod';
import { notFound } from '#main/services/service-error.ts';
import { MAX_CHANGED, type MaintenanceChange } from '#shared/maintenance/maintenance.ts';
import { findMaintenance } from '#shared/maintenance/occurrences.ts';
import type { MaintenanceWindow } from '#shared/maintenance/window.ts';
import { ApiError } from '../../api-error.ts';
import type { Context, Reply } from '../../operation.ts';
import { WINDOWS } from './lock.ts';
import { findWindow, windowParams } from './read.ts';

export const occurrenceParams = windowParams.extend({ maintenanceId: z.guid() });
type OccurrenceParams = z.output<typeof occurrenceParams>;

interface Found {
  window: MaintenanceWindow;
  maintenance: MaintenanceChange;
}

/** The occurrence of an id with its window; 404 where either is missing. */
export function findOccurrence({ id, maintenanceId }: OccurrenceParams, context: Context): Found {
  const window = findWindow(id, context);
  const maintenance = findMaintenance(window, maintenanceId);
  if (maintenance !== null) return { window, maintenance };
  throw notFound(`The maintenance window ${id} has no occurrence ${maintenanceId}`);
}

interface Changed {
  maintenance: MaintenanceChange;
  answer(kept: MaintenanceChange): Reply;
}

/** Changes an occurrence, and answers once that is kept; 409 where too many were changed. */
export function changeOccurrence(
  params: OccurrenceParams,
  context: Context,
  change: (found: Found & { nowMs: number }) => Changed,
): Promise<Reply> {
  return context.mutex(WINDOWS, async () => {
    const found = findOccurrence(params, context);
    const nowMs = context.clock.now();
    const { maintenance, answer } = change({ ...found, nowMs });
    const kept = { ...maintenance, updated_at: new Date(nowMs).toISOString() };
    const { window } = found;
    const others = window.changes.filter(({ plannedAt }) => plannedAt !== kept.plannedAt);
    if (others.length >= MAX_CHANGED) {
      throw new ApiError(409, `${others.length} occurrences of the window were changed already`);
    }
    const changes = [...others, kept];
    await context.configuration.maintenanceWindows.put({ ...window, changes });
    return answer(kept);
  });
}
