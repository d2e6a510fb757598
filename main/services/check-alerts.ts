import type { History } from '#main/store/history/history.ts';
import type { StoredAlert } from '#shared/alerting/stored-alert.ts';
import { RESULT_WINDOW_MS } from '#shared/api/time-range.ts';
import { noSuchCheck } from './checks.ts';
import type { Listed, ServiceParts } from './resource.ts';
import { type RangePageQuery, rangePageOf } from './time-range.ts';

interface CheckAlertParts extends Pick<ServiceParts, 'configuration' | 'clock'> {
  history: Pick<History, 'listAlerts'>;
}

/** The alerts of checks that are kept, those that no channel was sent as well. */
export class CheckAlerts {
  readonly #parts: CheckAlertParts;

  constructor(parts: CheckAlertParts) {
    this.#parts = parts;
  }

  /** Of all checks, newest first. @throws ServiceError INVALID where the time range is too wide */
  list(query: RangePageQuery): Promise<Listed<StoredAlert>> {
    return this.#list(query);
  }

  /** Of one check. @throws ServiceError NOT_FOUND */
  async listOfCheck(checkId: string, query: RangePageQuery): Promise<Listed<StoredAlert>> {
    if (this.#parts.configuration.checks.get(checkId) === undefined) throw noSuchCheck(checkId);
    return this.#list(query, checkId);
  }

  async #list(query: RangePageQuery, checkId?: string): Promise<Listed<StoredAlert>> {
    const asked = { ...rangePageOf(query, RESULT_WINDOW_MS, this.#parts), checkId };
    const { alerts: items, total } = await this.#parts.history.listAlerts(asked);
    return { items, total };
  }
}
