import type { SloCounting } from '#main/slos/slo-port.ts';
import { SLOS } from '#main/slos/slo-port.ts';
import { MAX_SLOS, type Slo, type SloBody, type SloChanges } from '#shared/analytics/slo.ts';
import { reportOf, reportRanges, type SloReport } from '#shared/analytics/slo-report.ts';
import { HeavyRequests } from './heavy-requests.ts';
import { Resource, type ServiceParts } from './resource.ts';
import { conflict, refuseProblems } from './service-error.ts';

interface Parts extends ServiceParts {
  sloCounter: SloCounting;
}

/** Checks that one report may be of: each takes some 10 ms where its runs of 30 days are read. */
const MAX_REPORTED = 1_000;

const KIND = { noun: 'service-level objective', plural: 'service-level objectives', max: MAX_SLOS };

/** Service-level objectives, and how much of their error budgets is left. */
export class Slos {
  readonly #parts: Parts;
  readonly #slos: Resource<Slo>;
  readonly #reports = new HeavyRequests('reports of objectives');

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#slos = new Resource(KIND, parts.configuration.slos, parts);
  }

  /** In the order of their creation. */
  all(): readonly Slo[] {
    return this.#slos.all();
  }

  /** @throws ServiceError NOT_FOUND */
  find(id: string): Slo {
    return this.#slos.find(id);
  }

  /** @throws ServiceError INVALID for what it names and is not there, CONFLICT for too many */
  create(body: SloBody): Promise<Slo> {
    return this.#parts.mutex(SLOS, () => {
      this.#refuseUnknown(body);
      return this.#slos.create({ ...body, burningSince: null });
    });
  }

  /** Members left out stay as they were. */
  change(id: string, changes: SloChanges): Promise<Slo> {
    return this.#parts.mutex(SLOS, () => {
      const before = this.find(id);
      this.#refuseUnknown(changes);
      return this.#slos.change(before, changes);
    });
  }

  delete(id: string): Promise<void> {
    return this.#parts.mutex(SLOS, () => this.#slos.delete(this.find(id)));
  }

  /**
   * How an objective stands now.
   * @param isGone whether the client hung up
   * @throws ServiceError NOT_FOUND, CONFLICT where it is of too many checks, TOO_MANY where too many
   *   reports wait
   */
  report(id: string, isGone: () => boolean): Promise<SloReport> {
    return this.#reports.take(async () => {
      const { clock, sloCounter } = this.#parts;
      const slo = this.find(id);
      const checks = sloCounter.checksOf(slo);
      if (checks.length > MAX_REPORTED) {
        throw conflict(`It is of ${checks.length} checks; a report may be of ${MAX_REPORTED}`);
      }
      const ranges = reportRanges(slo, checks, clock.now());
      return reportOf(slo, checks.length, { ranges, ...(await sloCounter.count(slo, ranges)) });
    }, isGone);
  }

  #refuseUnknown({ target, alertChannelIds }: SloChanges): void {
    const { checks, groups, channels } = this.#parts.configuration;
    const problems: { path: string; message: string }[] = [];
    const check = (path: string, noun: string, id: number | string, isThere: boolean) => {
      if (!isThere) problems.push({ path, message: `no ${noun} ${id} exists` });
    };
    const { checkId, groupId } = target ?? {};
    if (checkId !== undefined) {
      check('target.checkId', 'check', checkId, checks.get(checkId) !== undefined);
    }
    if (groupId !== undefined) {
      check('target.groupId', 'check group', groupId, groups.get(String(groupId)) !== undefined);
    }
    for (const [index, id] of (alertChannelIds ?? []).entries()) {
      const isThere = channels.get(String(id)) !== undefined;
      check(`alertChannelIds.${index}`, 'alert channel', id, isThere);
    }
    refuseProblems({ source: 'payload', problems });
  }
}
