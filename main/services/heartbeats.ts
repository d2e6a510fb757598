import type { Monitor, Ping } from '#main/monitoring/monitor-port.ts';
import { RateLimiter } from '#main/platform/rate-limiter.ts';
import type { History } from '#main/store/history/history.ts';
import { rangeProblems, type TimeRange } from '#shared/api/time-range.ts';
import type { HeartbeatState } from '#shared/checks/enums.ts';
import { availability } from '#shared/checks/heartbeat-rules.ts';
import type {
  HeartbeatAvailability,
  HeartbeatStats,
  StoredHeartbeatEvent,
} from '#shared/results/heartbeat-event.ts';
import type { Checks } from './checks.ts';
import type { ServiceParts } from './resource.ts';
import { notFound, refuseProblems, tooMany } from './service-error.ts';

/** Pings of one check a minute: each is kept, so who has its token could fill the disk. */
export const MAX_PINGS = 300;

const DAY_MS = 86_400_000;

interface Parts extends ServiceParts {
  history: History;
  monitor: Monitor;
  checks: Checks;
}

/** Bounds of a query in epoch milliseconds: the start belongs to its time, the end does not. */
interface EventRange {
  startTime?: number | undefined;
  endTime?: number | undefined;
}

/** Pings of heartbeat checks, and the events that came of them. */
export class Heartbeats {
  readonly #parts: Parts;
  readonly #pings = new RateLimiter(MAX_PINGS);

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Newest first, at most `limit`, by default of the last 24 hours. */
  async events(checkId: string, { limit, ...query }: EventRange & { limit: number }) {
    this.#parts.checks.findOf('HEARTBEAT', checkId);
    const range = rangeOf(query, this.#parts.clock.now());
    const [events, stats] = await Promise.all([
      this.#parts.history.listHeartbeatEvents({ checkId, ...range, limit }),
      this.#statsOf(checkId),
    ]);
    return { events, stats };
  }

  /** @throws ServiceError NOT_FOUND */
  async event(
    checkId: string,
    eventId: string,
  ): Promise<{ event: StoredHeartbeatEvent; stats: HeartbeatStats }> {
    this.#parts.checks.findOf('HEARTBEAT', checkId);
    const event = await this.#parts.history.findHeartbeatEvent({ checkId, eventId });
    if (event === null) throw notFound(`No event of this check has the id ${eventId}`);
    return { event, stats: await this.#statsOf(checkId) };
  }

  /** Passing events, in percent, of a time (by default the last 24 hours) and of as long before it. */
  async availability(checkId: string, query: EventRange): Promise<HeartbeatAvailability> {
    this.#parts.checks.findOf('HEARTBEAT', checkId);
    return this.#availabilityOf(checkId, rangeOf(query, this.#parts.clock.now()));
  }

  /**
   * Takes a ping; resolves once it is kept, with the state that it was given.
   *
   * @throws ServiceError NOT_FOUND, or TOO_MANY for a ping that counts nothing
   */
  async ping(token: string, sent: Ping): Promise<HeartbeatState> {
    const { monitor, history, clock } = this.#parts;
    const checkId = this.#parts.checks.pingTokens.checkOf(token);
    const waitMs = checkId === undefined ? 0 : this.#pings.take(checkId, clock.now());
    if (waitMs > 0) {
      throw tooMany(`More than ${MAX_PINGS} pings of this check within a minute`, waitMs);
    }
    const state = checkId === undefined ? undefined : await monitor.ping(checkId, sent);
    if (state !== undefined) return state;
    // A token nobody has takes as long as one that is known: it waits for the store as well.
    await history.write({});
    throw notFound('No heartbeat check has this ping URL');
  }

  async #statsOf(checkId: string): Promise<HeartbeatStats> {
    const to = this.#parts.clock.now() + 1;
    const lastDays = (days: number) =>
      this.#availabilityOf(checkId, { from: to - days * DAY_MS, to });
    const [last24Hours, last7Days] = await Promise.all([lastDays(1), lastDays(7)]);
    return { last24Hours, last7Days };
  }

  async #availabilityOf(checkId: string, { from, to }: TimeRange): Promise<HeartbeatAvailability> {
    const { history } = this.#parts;
    const [current, previous] = await Promise.all([
      history.countHeartbeatEvents({ checkId, from, to }),
      history.countHeartbeatEvents({ checkId, from: from - (to - from), to: from }),
    ]);
    return {
      successRatio: {
        previousPeriod: availability(previous.passing, previous.total),
        currentPeriod: availability(current.passing, current.total),
      },
      totalEntitiesCurrentPeriod: current.total,
    };
  }
}

/**
 * The time that a query means: by default the 24 hours before now. A start left out is 24 hours before
 * the end where the end is further back than that.
 */
function rangeOf({ startTime, endTime }: EventRange, nowMs: number): TimeRange {
  // The end is not part of a range, and an event of this very millisecond has happened.
  const end = nowMs + 1;
  const to = endTime ?? end;
  const dayAgo = end - DAY_MS;
  const from = startTime ?? (to > dayAgo ? dayAgo : to - DAY_MS);
  const names = { from: 'startTime', to: 'endTime' };
  refuseProblems({ source: 'query', problems: rangeProblems({ from, to }, { names }) });
  return { from, to };
}
