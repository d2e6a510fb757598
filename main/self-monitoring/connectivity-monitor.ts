import { type ActorRefFrom, createActor, fromPromise } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import type { Log } from '#main/platform/log.ts';
import { uuidAt } from '#main/platform/uuid-at.ts';
import type { Collection } from '#main/store/configuration/configuration.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';
import type { ApplianceContent } from '#shared/notifications/notice.ts';
import {
  applianceNotification,
  type StoredNotification,
} from '#shared/notifications/notification.ts';
import type { RunRequest, RunResult } from '#shared/runs/protocol.ts';
import {
  isExcused,
  isInDoubt,
  isOnThisMachine,
  type OfflineReason,
  type RunCount,
  reasonText,
  withoutBlame,
} from '#shared/self-monitoring/connectivity.ts';
import { connectivityMachine } from './connectivity.machine.ts';
import { isForeseen, type Outage } from './connectivity-context.ts';
import type { Connectivity, ConnectivityView } from './connectivity-port.ts';
import { HostHealth, type HostHealthPorts } from './host-health.ts';
import { isNear, OutageHistory } from './outage-history.ts';
import type { Probes } from './probes.ts';

export interface ConnectivityMonitorParts extends HostHealthPorts {
  probes: Probes;
  channels: Pick<Collection<AlertChannel>, 'all'>;
  log: Log;
  /** How long the appliance must be offline before people are notified. */
  toldAfterMs: number;
  /** Sends notifications, also where the store cannot write them; never rejects. */
  tell(notifications: readonly StoredNotification[]): Promise<void>;
  /** The network is back: the outbox may send again at once. */
  onlineAgain(): void;
}

/** A failing run that waits for the answer of the probes. */
interface Waiting {
  /** Since when, epoch ms. */
  at: number;
  /** Ends the wait: with reasons the run is inconclusive, without any its failure stands. */
  settle(reasons: readonly OfflineReason[]): void;
}

/** Makes failing runs inconclusive while the appliance is offline; binds the ports of the machine. */
export class ConnectivityMonitor implements Connectivity {
  readonly #parts: ConnectivityMonitorParts;
  readonly #runs = new RecentRuns();
  readonly #actor: ActorRefFrom<typeof connectivityMachine>;
  readonly #selfWatch: HostHealth;
  #waiting: Waiting[] = [];
  readonly #past = new OutageHistory();

  constructor(parts: ConnectivityMonitorParts) {
    this.#parts = parts;
    const { clock, toldAfterMs } = parts;
    const count = (since: number) => this.#runs.count(clock.now(), since);
    this.#actor = createActor(this.#boundMachine(), {
      clock: actorClock(clock),
      input: { clock, toldAfterMs, count },
    });
    this.#actor.subscribe({ error: (error) => this.#giveUp(error) });
    this.#actor.start();
    this.#selfWatch = new HostHealth(parts, (reasons) =>
      this.#actor.send({ type: 'HEALTH', reasons }),
    );
  }

  async judge({ check }: RunRequest, result: RunResult): Promise<RunResult> {
    const now = this.#parts.clock.now();
    const failedAt = this.#runs.inDoubtAt(check.id);
    if (result.hasFailures || !isOnThisMachine(check)) {
      this.#runs.note(check.id, now, isInDoubt(result));
    }
    if (!result.hasFailures) return result;
    this.#selfWatch.look();
    const known = this.#reasonsFor(result);
    if (isExcused(result, known)) return withoutBlame(result, known);
    if (!isInDoubt(result) || this.#isBroken()) return result;
    if (this.#isForeseen(failedAt)) {
      // The probes are asked all the same, so that an outage is noticed as early as if the run waited.
      this.#actor.send({ type: 'DOUBT', at: now });
      return result;
    }
    const reasons = await this.#wait(now);
    return reasons.length > 0 ? withoutBlame(result, reasons) : result;
  }

  doubt(checkId: string): void {
    const at = this.#parts.clock.now();
    this.#runs.note(checkId, at, true);
    this.#selfWatch.look();
    if (!this.#isBroken()) this.#actor.send({ type: 'DOUBT', at });
  }

  isOffline(): boolean {
    return this.#actor.getSnapshot().context.since !== null;
  }

  /** Whether the network of this machine is known to be dead: no receiver of alerts is to blame then. */
  isNetworkDown(): boolean {
    return this.#actor.getSnapshot().context.reasons.includes('NETWORK');
  }

  wasOffline(from: number, to: number): boolean {
    const { since } = this.#actor.getSnapshot().context;
    const isOfflineYet = since !== null && isNear({ since, until: Infinity }, { from, to });
    return isOfflineYet || this.#past.touches({ from, to });
  }

  view(): ConnectivityView {
    const { value, context } = this.#actor.getSnapshot();
    const { reasons, since } = context;
    const state = typeof value === 'string' ? value : 'blind';
    return { state, reasons, since, probes: this.#parts.probes.view() };
  }

  /** Runs that still wait become inconclusive. */
  stop(): void {
    this.#selfWatch.stop();
    this.#actor.stop();
    this.#settle(['NETWORK']);
  }

  #boundMachine(): typeof connectivityMachine {
    return connectivityMachine.provide({
      actors: { askProbes: fromPromise(() => this.#parts.probes.ask()) },
      actions: {
        believe: (_, { at }) => this.#settle([], at),
        excuse: (_, { reasons }) => this.#noteOutage(reasons),
        tell: (_, outage) => this.#tell(outage, false),
        noteConnectivity: (_, outage) => this.#noteConnectivity(outage),
      },
    });
  }

  /** Why a run may be inconclusive, as far as that is known yet. */
  #reasonsFor({ startedAt }: RunResult): readonly OfflineReason[] {
    const { reasons } = this.#actor.getSnapshot().context;
    if (reasons.length > 0) return reasons;
    return this.#past.reasonsAt(startedAt);
  }

  #isForeseen(failedAt: number | null): boolean {
    const snapshot = this.#actor.getSnapshot();
    return isForeseen(snapshot.context, failedAt, snapshot.matches('asking'));
  }

  #isBroken(): boolean {
    return this.#actor.getSnapshot().status !== 'active';
  }

  #wait(at: number): Promise<readonly OfflineReason[]> {
    const { promise, resolve } = Promise.withResolvers<readonly OfflineReason[]>();
    this.#waiting.push({ at, settle: resolve });
    this.#actor.send({ type: 'DOUBT', at });
    return promise;
  }

  /** Ends the wait of the runs that came up to a time, epoch ms. */
  #settle(reasons: readonly OfflineReason[], upTo = Number.POSITIVE_INFINITY): void {
    const settled = this.#waiting.filter(({ at }) => at <= upTo);
    this.#waiting = this.#waiting.filter(({ at }) => at > upTo);
    for (const { settle } of settled) settle(reasons);
  }

  #noteOutage(reasons: readonly OfflineReason[]): void {
    this.#parts.log.warn({ reasons }, 'The monitor cannot see; no target is blamed.');
    this.#settle(reasons);
  }

  #noteConnectivity(outage: Outage): void {
    this.#parts.log.info({ reasons: outage.reasons }, 'The monitor sees again.');
    this.#past.note(outage, this.#parts.clock.now());
    if (outage.isTold) this.#tell(outage, true);
    if (outage.reasons.includes('NETWORK')) this.#parts.onlineAgain();
  }

  /** Notifies every channel that wants failures; the outbox sends once the network works. */
  #tell(outage: Outage, isOver: boolean): void {
    const { channels, clock, tell } = this.#parts;
    const now = clock.now();
    const notice = offlineNotice(outage, isOver, now);
    const notifications = channels
      .all()
      .filter(({ sendFailure }) => sendFailure)
      .map((channel) => applianceNotification(channel, notice, { id: uuidAt(now), at: now }));
    if (notifications.length > 0) void tell(notifications);
  }

  /** A machine that failed holds no result back. */
  #giveUp(error: unknown): void {
    this.#parts.log.error({ err: error }, 'The connectivity monitor failed; it is off.');
    this.#selfWatch?.stop();
    this.#settle([]);
  }
}

/** The notification that the appliance is offline, or online again. */
function offlineNotice({ reasons, since }: Outage, isOver: boolean, at: number): ApplianceContent {
  return {
    kind: 'own',
    condition: 'BLIND',
    isOver,
    reason: reasonText(reasons),
    since: new Date(since).toISOString(),
    lastedMs: isOver ? at - since : null,
    startedAt: new Date(at).toISOString(),
    link: null,
  };
}

/** How long a run counts. */
const WINDOW_MS = 30_000;

/** The checks that ran within the last half a minute, each by its last run. */
class RecentRuns {
  /** By check, the oldest first. */
  readonly #runs = new Map<string, { at: number; isInDoubt: boolean }>();

  /** @param at epoch ms */
  note(checkId: string, at: number, isInDoubt: boolean): void {
    this.#runs.delete(checkId);
    this.#runs.set(checkId, { at, isInDoubt });
    for (const [oldest, run] of this.#runs) {
      if (at - run.at <= WINDOW_MS) break;
      this.#runs.delete(oldest);
    }
  }

  /** When the last run of a check was, epoch ms, if it was in doubt; else null. */
  inDoubtAt(checkId: string): number | null {
    const last = this.#runs.get(checkId);
    return last?.isInDoubt ? last.at : null;
  }

  /** Counts the runs of the window that are no older than `since`, epoch ms. */
  count(now: number, since: number): RunCount {
    const from = Math.max(now - WINDOW_MS, since);
    let ran = 0;
    let inDoubt = 0;
    for (const run of this.#runs.values()) {
      if (run.at < from) continue;
      ran++;
      if (run.isInDoubt) inDoubt++;
    }
    return { ran, inDoubt };
  }
}
