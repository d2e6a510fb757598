import type { Monitor } from '#main/monitoring/monitor-port.ts';
import type { Check } from '#shared/checks/check.ts';
import { type CheckStatus, shownStatus } from '#shared/results/check-status.ts';
import type { Checks } from './checks.ts';
import type { ServiceParts } from './resource.ts';
import { notFound } from './service-error.ts';

interface Parts extends ServiceParts {
  monitor: Monitor;
  checks: Checks;
}

/** Where checks stand by their last results. */
export class CheckStatuses {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Of every check that has a result; made one by one, as they are asked for. */
  *all(): Generator<CheckStatus> {
    for (const check of this.#parts.configuration.checks.all()) {
      const status = this.#statusOf(check);
      if (status !== undefined) yield status;
    }
  }

  /** @throws ServiceError NOT_FOUND, also for a check without a result */
  find(checkId: string): CheckStatus {
    const status = this.#statusOf(this.#parts.checks.find(checkId));
    if (status === undefined) throw notFound('This check has no result yet');
    return status;
  }

  #statusOf({ id, name }: Check): CheckStatus | undefined {
    const kept = this.#parts.monitor.statusOf(id);
    if (kept === undefined) return undefined;
    return { name, checkId: id, ...shownStatus(kept) };
  }
}
