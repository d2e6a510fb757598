import type { Monitor } from '#main/monitoring/monitor-port.ts';
import type { OutboxPort } from '#main/notifications/outbox-port.ts';
import type { Log } from '#main/platform/log.ts';
import type { Mutex } from '#main/platform/mutex.ts';
import { uuidAt } from '#main/platform/uuid-at.ts';
import { Yielding } from '#main/platform/yielding.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import { StoreError } from '#main/store/store-error.ts';
import type { Slo } from '#shared/analytics/slo.ts';
import {
  BURN_WINDOWS_MS,
  type BurnRates,
  burnRate,
  burnsFast,
} from '#shared/analytics/slo-rules.ts';
import { isPassing } from '#shared/checks/heartbeat-rules.ts';
import type { Clock } from '#shared/clock.ts';
import { applianceNotification } from '#shared/notifications/notification.ts';
import { titleOf } from '#shared/notifications/title.ts';
import { type BurnChange, burnContent, burnReason, calmReason } from './burn-content.ts';
import { SLOS, type SloCounting } from './slo-port.ts';

export interface SloWatchParts {
  configuration: Pick<Configuration, 'slos' | 'channels'>;
  counter: SloCounting;
  monitor: Pick<Monitor, 'listen'>;
  outbox: Pick<OutboxPort, 'writeAndEnqueue'>;
  mutex: Mutex;
  clock: Clock;
  log: Pick<Log, 'warn' | 'info' | 'error'>;
}

/** From the end of one look to the next. */
const LOOK_MS = 60_000;

/**
 * Notifies of error budgets that burn fast, once when it begins and once when it is over. Only objectives with
 * bad runs in the last hours are looked at, so where all is well nothing is read.
 */
export class SloWatch {
  readonly #parts: SloWatchParts;
  /** Objectives to look at: all at the start, as nobody knows what was before it. */
  readonly #hot = new Set<string>();
  /** Since when budgets burn, as it was notified: ahead of what is stored while the disk takes nothing. */
  readonly #burning = new Map<string, string | null>();
  /** Checks with a run since the last look that may be bad for an objective. */
  #suspects = new Set<string>();
  /** Milliseconds from which on a run is bad for some objective. */
  #slowMs = Infinity;
  readonly #stops: (() => void)[];
  #timer: unknown;
  #isClosed = false;

  constructor(parts: SloWatchParts) {
    this.#parts = parts;
    const { configuration, monitor } = parts;
    for (const slo of configuration.slos.all()) this.#put(slo);
    const note = (checkId: string, isSuspect: boolean) => {
      if (isSuspect) this.#suspects.add(checkId);
    };
    this.#stops = [
      configuration.slos.subscribe(({ kind, record }) => {
        if (kind === 'put') this.#put(record);
        else this.#delete(record);
      }),
      monitor.listen({
        result: ({ checkId, hasFailures, responseTime }) =>
          note(checkId, hasFailures || responseTime >= this.#slowMs),
        heartbeat: ({ checkId, state }) => note(checkId, !isPassing(state)),
      }),
    ];
    this.#arm();
  }

  close(): void {
    this.#isClosed = true;
    this.#parts.clock.clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
  }

  #put({ id, burningSince }: Slo): void {
    this.#hot.add(id);
    if (!this.#burning.has(id)) this.#burning.set(id, burningSince);
    this.#slowMs = this.#parts.configuration.slos
      .all()
      .map(({ objective }) => (objective.kind === 'LATENCY' ? objective.underMs : Infinity))
      .reduce((least, ms) => Math.min(least, ms), Infinity);
  }

  #delete(slo: Slo): void {
    const since = this.#burning.get(slo.id) ?? null;
    this.#hot.delete(slo.id);
    this.#burning.delete(slo.id);
    // Services that keep incidents open would keep this one for ever.
    if (since !== null) this.#notify(slo, { since, isOver: true, reason: 'It was deleted' });
  }

  #arm(): void {
    const { clock, log } = this.#parts;
    this.#timer = clock.setTimeout(() => {
      this.#look()
        .catch((error: unknown) =>
          log.error({ err: error }, 'Error budgets could not be looked at.'),
        )
        .finally(() => !this.#isClosed && this.#arm());
    }, LOOK_MS);
  }

  async #look(): Promise<void> {
    const suspects = this.#suspects;
    this.#suspects = new Set();
    const pace = new Yielding();
    for (const slo of this.#parts.configuration.slos.all()) {
      const isSuspect = suspects.size > 0 && !this.#hot.has(slo.id) && this.#has(slo, suspects);
      if (isSuspect) this.#hot.add(slo.id);
      if (pace.isDue) await pace.rest();
    }
    for (const id of [...this.#hot]) await this.#examine(id);
  }

  #has(slo: Slo, suspects: ReadonlySet<string>): boolean {
    return this.#parts.counter.checksOf(slo).some(({ id }) => suspects.has(id));
  }

  async #examine(id: string): Promise<void> {
    const { configuration, counter, clock } = this.#parts;
    const asked = configuration.slos.get(id);
    if (asked === undefined || this.#isClosed) return;
    const now = clock.now();
    const ranges = [BURN_WINDOWS_MS.oneHour, BURN_WINDOWS_MS.sixHours].map((ms) => ({
      from: now - ms,
      to: now,
    }));
    const [hour = NO_RUNS, sixHours = NO_RUNS] = (await counter.count(asked, ranges)).counts;
    const slo = configuration.slos.get(id);
    // Whoever edited it meanwhile made it hot again.
    if (slo !== asked || this.#isClosed) return;
    const rates = {
      oneHour: burnRate(hour, slo.objective),
      sixHours: burnRate(sixHours, slo.objective),
    };
    const burns = await this.#settle(slo, rates, now);
    if (!burns && sixHours.good === sixHours.total) this.#hot.delete(id);
  }

  /** Notifies of a change, and has it stored; answers whether the budget burns fast. */
  async #settle(slo: Slo, rates: BurnRates, now: number): Promise<boolean> {
    const since = this.#burning.get(slo.id) ?? null;
    const burns = slo.alertOnFastBurn && burnsFast(since !== null, rates, slo.objective);
    if (burns && since === null) {
      const begun = new Date(now).toISOString();
      this.#burning.set(slo.id, begun);
      this.#notify(slo, { since: begun, isOver: false, reason: burnReason(slo, rates) });
    } else if (!burns && since !== null) {
      this.#burning.set(slo.id, null);
      this.#notify(slo, { since, isOver: true, reason: calmReason(rates) });
    }
    await this.#store(slo.id);
    return burns;
  }

  /** After the notification: a crash in between repeats it, and loses none. */
  async #store(id: string): Promise<void> {
    const { configuration, mutex, log } = this.#parts;
    try {
      await mutex(SLOS, async () => {
        const slo = configuration.slos.get(id);
        const burningSince = this.#burning.get(id) ?? null;
        if (slo === undefined || slo.burningSince === burningSince) return;
        await configuration.slos.put({ ...slo, burningSince });
      });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      log.error({ err: error }, 'That an error budget burns, or no longer, could not be stored.');
    }
  }

  #notify(slo: Slo, change: BurnChange): void {
    const { configuration, clock, outbox, log } = this.#parts;
    const at = clock.now();
    const content = burnContent(slo, change, at);
    log.warn({ slo: slo.id, isOver: change.isOver }, `${titleOf(content)}: ${content.reason}`);
    const notifications = configuration.channels
      .all()
      .filter(({ id, sendFailure }) => slo.alertChannelIds?.includes(Number(id)) ?? sendFailure)
      .map((channel) => applianceNotification(channel, content, { id: uuidAt(at), at }));
    void outbox.writeAndEnqueue(notifications);
  }
}

const NO_RUNS = { total: 0, good: 0 };
