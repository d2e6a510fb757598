import { changesThatRemain } from '#shared/maintenance/occurrences.ts';
import { firstOccurrence, type Occurrence } from '#shared/maintenance/recurrence.ts';
import {
  MAX_WINDOWS,
  type MaintenanceWindow,
  type WindowBody,
  type WindowChanges,
} from '#shared/maintenance/window.ts';
import { windowProblems } from '#shared/maintenance/window-rules.ts';
import { REFERENCES, refuseUnknownIds } from './references.ts';
import { Resource, type ServiceParts } from './resource.ts';
import { refuseProblems } from './service-error.ts';

/** Changes of maintenance windows, and of their occurrences, wait for each other. */
export const WINDOWS = 'maintenance-windows';

const KIND = {
  noun: 'maintenance window',
  plural: 'windows',
  counter: 'maintenanceWindows',
  max: MAX_WINDOWS,
};

type Filter = (first: Occurrence, ms: number) => boolean;

/** Which windows a filter lets through, by their first occurrence and its time in epoch ms. */
const FILTERS = {
  'startsAt[gt]': ({ startsAtMs }, ms) => startsAtMs > ms,
  'startsAt[gte]': ({ startsAtMs }, ms) => startsAtMs >= ms,
  'startsAt[lt]': ({ startsAtMs }, ms) => startsAtMs < ms,
  'startsAt[lte]': ({ startsAtMs }, ms) => startsAtMs <= ms,
  'endsAt[gt]': ({ endsAtMs }, ms) => endsAtMs > ms,
  'endsAt[gte]': ({ endsAtMs }, ms) => endsAtMs >= ms,
  'endsAt[lt]': ({ endsAtMs }, ms) => endsAtMs < ms,
  'endsAt[lte]': ({ endsAtMs }, ms) => endsAtMs <= ms,
  // Without a comparison: the windows within a time.
  startsAt: ({ startsAtMs }, ms) => startsAtMs >= ms,
  endsAt: ({ endsAtMs }, ms) => endsAtMs <= ms,
} satisfies Record<string, Filter>;
export type WindowFilter = keyof typeof FILTERS;
export const WINDOW_FILTERS = Object.keys(FILTERS) as WindowFilter[];

/** Times at which checks do not run or do not alert. */
export class MaintenanceWindows {
  readonly #parts: ServiceParts;
  readonly #windows: Resource<MaintenanceWindow>;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
    this.#windows = new Resource(KIND, parts.configuration.maintenanceWindows, parts);
  }

  /** In the order of their ids. */
  list(filters: { readonly [F in WindowFilter]?: number | undefined }): MaintenanceWindow[] {
    return this.#windows.all().filter((window) => {
      const first = firstOccurrence(window);
      return WINDOW_FILTERS.every((name) => {
        const ms = filters[name];
        return ms === undefined || FILTERS[name](first, ms);
      });
    });
  }

  /** @throws ServiceError NOT_FOUND */
  find(id: number): MaintenanceWindow {
    return this.#windows.find(id);
  }

  /** @throws ServiceError INVALID for what it names and is not there, CONFLICT for too many */
  create(body: WindowBody): Promise<MaintenanceWindow> {
    return this.#parts.mutex([WINDOWS, REFERENCES], () => {
      refuseUnknownIds(body, this.#parts.configuration);
      return this.#windows.create({ ...body, changes: [] });
    });
  }

  /**
   * Members left out stay as they were. What was changed of occurrences that the window no longer has is
   * forgotten.
   */
  change(id: number, body: WindowChanges): Promise<MaintenanceWindow> {
    return this.#parts.mutex([WINDOWS, REFERENCES], () => {
      const before = this.find(id);
      refuseUnknownIds(body, this.#parts.configuration, before);
      const changed = { ...before, ...body };
      refuseContradictions(changed);
      const changes = changesThatRemain(before, changed);
      return this.#windows.change(before, { ...body, changes });
    });
  }

  delete(id: number): Promise<void> {
    return this.#parts.mutex(WINDOWS, () => this.#windows.delete(this.find(id)));
  }
}

/** Another change may have come since the body was parsed by the rules of the window before it. */
function refuseContradictions(window: MaintenanceWindow): void {
  const problems = windowProblems({ ...window }).map(({ path, message }) => ({
    path: path.join('.'),
    message,
  }));
  refuseProblems({ source: 'payload', problems });
}
