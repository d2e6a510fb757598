import type { Collection } from '#main/store/configuration/configuration.ts';
import {
  type Maintenance,
  MaintenanceCalendar,
  maintenanceOf,
} from '#shared/maintenance/maintenance-rules.ts';
import type { MaintenanceWindow } from '#shared/maintenance/window.ts';

/** The maintenance windows as they are now: follows the configuration until it is closed. */
export class MaintenanceWatch {
  readonly #calendar: MaintenanceCalendar;
  /** Stops following. */
  readonly close: () => void;

  constructor(windows: Collection<MaintenanceWindow>) {
    this.#calendar = new MaintenanceCalendar(windows.all());
    this.close = windows.subscribe((change) => {
      if (change.kind === 'put') this.#calendar.put(change.record);
      else this.#calendar.delete(change.record.id);
    });
  }

  /**
   * What maintenance means at a moment, epoch ms, for a check with the tags of its group in its own.
   * Costs a look-up for each tag, but where a window opens or closes between two calls.
   */
  of({ tags }: { tags: readonly string[] }, at: number): Maintenance {
    return maintenanceOf(tags, this.#calendar, at);
  }
}
