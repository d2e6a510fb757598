import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import type { Slo } from '#shared/analytics/slo.ts';
import { spanOf } from '#shared/analytics/slo-counts.ts';
import {
  overlapMs,
  type PublishedWindow,
  plannedTimes,
  publishedWindows,
} from '#shared/analytics/slo-maintenance.ts';
import { sumOfCounts } from '#shared/analytics/slo-rules.ts';
import type { TimeRange } from '#shared/api/time-range.ts';
import { type Check, isHeartbeat } from '#shared/checks/check.ts';
import type { Clock } from '#shared/clock.ts';
import { groupOf, tagsOf } from '#shared/groups/merge-group.ts';
import type { SloCounting, SloCounts } from './slo-port.ts';

interface Parts {
  configuration: Pick<Configuration, 'checks' | 'groups' | 'maintenanceWindows'>;
  history: Pick<History, 'countRuns'>;
  clock: Pick<Clock, 'now'>;
}

/** Counts the runs of objectives in the history, check by check. */
export class SloCounter implements SloCounting {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  checksOf({ target, objective }: Pick<Slo, 'target' | 'objective'>): Check[] {
    const { checks } = this.#parts.configuration;
    const { checkId, groupId, tag } = target;
    const isMeant = (check: Check) =>
      (groupId !== undefined && check.groupId === groupId) ||
      (tag !== undefined && this.#tagsOf(check).includes(tag));
    // A ping has no duration that could be compared.
    const isCounted = (check: Check) => objective.kind === 'AVAILABILITY' || !isHeartbeat(check);
    const only = checkId === undefined ? undefined : checks.get(checkId);
    return (only ? [only] : checks.all().filter(isMeant)).filter(isCounted);
  }

  async count(
    slo: Pick<Slo, 'target' | 'objective'>,
    ranges: readonly TimeRange[],
  ): Promise<SloCounts> {
    const { configuration, clock } = this.#parts;
    const windows = configuration.maintenanceWindows.all();
    const published = publishedWindows(windows, spanOf(ranges), clock.now());
    const all: SloCounts[] = [];
    // One after another: what else is read of the history has its turn in between.
    for (const check of this.checksOf(slo)) {
      all.push(await this.#countCheck(check, slo.objective, { ranges, published }));
    }
    const perRange = <T>(read: (counts: SloCounts, index: number) => T) =>
      ranges.map((_, index) => all.map((counts) => read(counts, index)));
    const counts = perRange(({ counts: own }, index) => own[index] ?? { total: 0, good: 0 });
    const monitored = perRange(({ monitoredMs }, index) => monitoredMs[index] ?? 0);
    return { counts: counts.map(sumOfCounts), monitoredMs: monitored.map(meanOf) };
  }

  async #countCheck(
    check: Check,
    objective: Slo['objective'],
    { ranges, published }: { ranges: readonly TimeRange[]; published: readonly PublishedWindow[] },
  ): Promise<SloCounts> {
    const excluded = plannedTimes(check, this.#tagsOf(check), published);
    const { id: checkId, checkType } = check;
    const underMs = objective.kind === 'LATENCY' ? objective.underMs : null;
    const query = { checkId, checkType, ranges, excluded, underMs };
    return {
      counts: await this.#parts.history.countRuns(query),
      monitoredMs: ranges.map((range) => range.to - range.from - overlapMs(range, excluded)),
    };
  }

  #tagsOf(check: Check): string[] {
    return tagsOf(check, groupOf(check, this.#parts.configuration.groups));
  }
}

function meanOf(numbers: readonly number[]): number {
  if (numbers.length === 0) return 0;
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
