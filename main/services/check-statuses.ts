import type { Monitor } from '#main/monitoring/monitor-port.ts';
import type { Check } from '#shared/checks/check.ts';
import { type CheckStatus, type KeptStatus, shownStatus } from '#shared/results/check-status.ts';
import type { Checks } from './checks.ts';
import type { ServiceParts } from './resource.ts';
import { notFound } from './service-error.ts';

interface Parts extends ServiceParts {
  monitor: Monitor;
  checks: Checks;
}

/** Characters of rows that are handed on together: each piece costs whoever sends it as much as some rows. */
const PIECE_LENGTH = 16 * 1024;

/** Where checks stand by their last results. */
export class CheckStatuses {
  readonly #parts: Parts;
  /** The row of each status as JSON text; the next result of a check makes another status. */
  readonly #rows = new WeakMap<KeptStatus, { name: string; text: string }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Of every check that has a result: pieces of one JSON array, made as they are asked for. */
  *pieces(): Generator<string> {
    let piece = '[';
    let separator = '';
    for (const check of this.#parts.configuration.checks.all()) {
      const row = this.#rowOf(check);
      if (row === undefined) continue;
      piece += separator + row;
      separator = ',';
      if (piece.length < PIECE_LENGTH) continue;
      yield piece;
      piece = '';
    }
    yield `${piece}]`;
  }

  /** @throws ServiceError NOT_FOUND, also for a check without a result */
  find(checkId: string): CheckStatus {
    const status = this.#statusOf(this.#parts.checks.find(checkId));
    if (status === undefined) throw notFound('This check has no result yet');
    return status;
  }

  #rowOf(check: Check): string | undefined {
    const kept = this.#parts.monitor.statusOf(check.id);
    if (kept === undefined) return undefined;
    const known = this.#rows.get(kept);
    if (known?.name === check.name) return known.text;
    const text = JSON.stringify(this.#statusOf(check));
    this.#rows.set(kept, { name: check.name, text });
    return text;
  }

  #statusOf({ id, name }: Check): CheckStatus | undefined {
    const kept = this.#parts.monitor.statusOf(id);
    if (kept === undefined) return undefined;
    return { name, checkId: id, ...shownStatus(kept) };
  }
}
