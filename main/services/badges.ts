import type { Monitor } from '#main/monitoring/monitor-port.ts';
import type { Log } from '#main/platform/log.ts';
import type { Badge, BadgeKind } from '#shared/badges/badge.ts';
import type { Check } from '#shared/checks/check.ts';
import { groupOf } from '#shared/groups/merge-group.ts';
import { standingOf, worstStanding } from '#shared/results/standing.ts';
import { deleteOrphans } from './delete-orphans.ts';
import { badgeId, findPublic } from './public-reads.ts';
import type { ServiceParts } from './resource.ts';
import { notFound } from './service-error.ts';

/** Changes wait for each other, so that a deletion finds what it takes along. */
const BADGES = 'badges';

interface BadgeParts extends ServiceParts {
  monitor: Pick<Monitor, 'statusOf'>;
  log: Pick<Log, 'error'>;
}

const NOUNS = { checks: 'check', groups: 'check group' } as const satisfies Record<
  BadgeKind,
  string
>;

/** Images of where checks and groups stand, which anybody may see once they are made public. */
export class Badges {
  readonly #parts: BadgeParts;

  constructor(parts: BadgeParts) {
    this.#parts = parts;
  }

  /** The badge of a check that is public. @throws ServiceError NOT_FOUND, also for one that is not */
  ofCheck(id: string): Badge {
    const check = findPublic(this.#parts.configuration, 'checks', id);
    return { name: check.name, ...this.#standingOf(check) };
  }

  /**
   * The badge of a group that is public: the worst state of its checks and the longest of their last
   * runs. @throws ServiceError NOT_FOUND, also for one that is not public
   */
  ofGroup(id: number): Badge {
    const { configuration } = this.#parts;
    const group = findPublic(configuration, 'groups', String(id));
    const members = configuration.checks.all().filter(({ groupId }) => groupId === id);
    const standings = members.map((check) => this.#standingOf(check));
    const times = standings.flatMap(({ responseTime }) => responseTime ?? []);
    return {
      name: group.name,
      state: worstStanding(standings.map(({ state }) => state)),
      responseTime: times.length === 0 ? null : Math.max(...times),
    };
  }

  /** @throws ServiceError NOT_FOUND where there is no such check or group */
  isPublic(kind: BadgeKind, id: string): boolean {
    this.#refuseUnknown(kind, id);
    return this.#parts.configuration.badges.get(badgeId(kind, id)) !== undefined;
  }

  /** @throws ServiceError NOT_FOUND where there is no such check or group */
  async setPublic(kind: BadgeKind, id: string, isPublic: boolean): Promise<void> {
    const { mutex, configuration, clock } = this.#parts;
    const { badges } = configuration;
    await mutex(BADGES, async () => {
      if (this.isPublic(kind, id) === isPublic) return;
      const created_at = new Date(clock.now()).toISOString();
      if (isPublic) await badges.put({ id: badgeId(kind, id), kind, target: id, created_at });
      else await badges.delete(badgeId(kind, id));
    });
  }

  /** Deletes those whose check or group is gone, now and from now on. */
  endWithTargets(): void {
    deleteOrphans(this.#parts, 'A badge', () => this.#deleteOrphans());
  }

  #standingOf(check: Check): Pick<Badge, 'state' | 'responseTime'> {
    const { configuration, monitor } = this.#parts;
    const status = monitor.statusOf(check.id);
    const state = standingOf(check, groupOf(check, configuration.groups), status);
    return { state, responseTime: state === 'paused' ? null : (status?.lastRun ?? null) };
  }

  #deleteOrphans(): Promise<void> {
    const { mutex, configuration } = this.#parts;
    const { badges } = configuration;
    return mutex(BADGES, async () => {
      const orphans = badges.all().filter(({ kind, target }) => !configuration[kind].get(target));
      for (const { id } of orphans) await badges.delete(id);
    });
  }

  #refuseUnknown(kind: BadgeKind, id: string): void {
    if (this.#parts.configuration[kind].get(id) !== undefined) return;
    throw notFound(`No ${NOUNS[kind]} has the id ${id}`);
  }
}
