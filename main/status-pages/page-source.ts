import { atPace } from '#main/platform/yielding.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import type { Clock } from '#shared/clock.ts';
import type { IncidentHead, StoredIncident } from '#shared/incidents/incident.ts';
import { changedTimes } from '#shared/maintenance/changed-state.ts';
import { DAY_MS } from '#shared/maintenance/local-time.ts';
import { findMaintenance } from '#shared/maintenance/occurrences.ts';
import { MAX_OPEN_INCIDENTS } from '#shared/status-pages/public-page.ts';
import {
  ANNOUNCED_MS,
  headsOn,
  openHeads,
  type PageMaterial,
  servicesOf,
} from '#shared/status-pages/public-page-rules.ts';
import {
  type PublishedOccurrence,
  publishedOccurrences,
} from '#shared/status-pages/published-maintenance.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { SHOWN_DAYS } from '#shared/status-pages/uptime.ts';

export interface SourceParts {
  configuration: Pick<Configuration, 'pageServices' | 'maintenanceWindows'>;
  history: Pick<History, 'listIncidentHeads' | 'findIncident'>;
  clock: Clock;
}

const YEAR_MS = 366 * DAY_MS;
/** Most incidents of a year that pages count. */
const MAX_HEADS = 5_000;
/** How long the heads that were read hold, of incidents that begin later: their dates lie ahead. */
const HEADS_HOLD_MS = DAY_MS / 4;
/** How long maintenance that only people may end goes on after its end. */
const OVERRUN_MS = 7 * DAY_MS;

interface Heads {
  heads: readonly IncidentHead[];
  readAt: number;
}

/** Gathers what pages show from the stores. The incidents of a year are read once for all pages. */
export class PageSource {
  readonly #parts: SourceParts;
  #heads: Promise<Heads> | null = null;

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  /** Incidents changed: what was read of them before is old. */
  forget(): void {
    this.#heads = null;
  }

  /** What a page shows at a moment, epoch ms. */
  async material(page: StatusPage, now: number): Promise<PageMaterial> {
    const heads = await this.#headsAt(now);
    const services = this.servicesOf(page);
    const shown = servicesOf({ page, services });
    const open = openHeads(headsOn(heads, shown), now).slice(0, MAX_OPEN_INCIDENTS);
    const [incidents, occurrences] = await Promise.all([
      this.incidents(open),
      atPace(this.#occurrences(page, now)),
    ]);
    return { page, services, heads, incidents, occurrences, now };
  }

  /** The services of a page that there are, by their ids. */
  servicesOf(page: StatusPage): PageMaterial['services'] {
    const { pageServices } = this.#parts.configuration;
    const ids = page.cards.flatMap((card) => card.serviceIds);
    return new Map(
      ids.flatMap((id) => {
        const service = pageServices.get(id);
        return service === undefined ? [] : [[id, service]];
      }),
    );
  }

  /** The incidents of a year and of the coming day, newest start first. */
  async headsOf(page: StatusPage, now: number): Promise<IncidentHead[]> {
    const shown = servicesOf({ page, services: this.servicesOf(page) });
    return headsOn(await this.#headsAt(now), shown);
  }

  /** Those that were open at some time of `[from, to)`, epoch ms, newest start first. */
  async headsWithin(page: StatusPage, from: number, to: number): Promise<IncidentHead[]> {
    const heads = await this.#parts.history.listIncidentHeads({ from, to, limit: MAX_HEADS });
    return headsOn(heads, servicesOf({ page, services: this.servicesOf(page) }));
  }

  /** Incidents whole, in their order, without those that were deleted meanwhile. */
  async incidents(heads: readonly Pick<IncidentHead, 'id'>[]): Promise<StoredIncident[]> {
    const found = await Promise.all(heads.map(({ id }) => this.#parts.history.findIncident(id)));
    return found.filter((incident) => incident !== null);
  }

  /** What a page shows of one occurrence of maintenance, however long ago it was. */
  occurrence(page: StatusPage, id: string, now: number): PublishedOccurrence | undefined {
    for (const window of this.#parts.configuration.maintenanceWindows.all()) {
      const maintenance = findMaintenance(window, id);
      if (maintenance === null) continue;
      const { startsAtMs: fromMs } = changedTimes(maintenance, window);
      const span = { fromMs, toMs: fromMs + 1, nowMs: now };
      return publishedOccurrences([window], page, span).find((one) => one.id === id);
    }
    return undefined;
  }

  /** Of one window after the other: recurrences take their time. */
  *#occurrences(page: StatusPage, now: number): Generator<void, PublishedOccurrence[]> {
    const span = {
      fromMs: now - SHOWN_DAYS * DAY_MS - OVERRUN_MS,
      toMs: now + ANNOUNCED_MS,
      nowMs: now,
    };
    const found: PublishedOccurrence[] = [];
    for (const window of this.#parts.configuration.maintenanceWindows.all()) {
      found.push(...publishedOccurrences([window], page, span));
      yield;
    }
    return found.toSorted((a, b) => a.startsAt - b.startsAt);
  }

  async #headsAt(now: number): Promise<readonly IncidentHead[]> {
    const known = this.#heads && (await this.#heads);
    if (known !== null && Math.abs(now - known.readAt) < HEADS_HOLD_MS) return known.heads;
    const reading = this.#read(now);
    this.#heads = reading;
    // One that failed is read again by the next reader.
    reading.catch(() => {
      if (this.#heads === reading) this.#heads = null;
    });
    return (await reading).heads;
  }

  async #read(now: number): Promise<Heads> {
    const heads = await this.#parts.history.listIncidentHeads({
      from: now - YEAR_MS,
      to: now + DAY_MS + HEADS_HOLD_MS,
      limit: MAX_HEADS,
    });
    return { heads, readAt: now };
  }
}
