import type { AlertPort } from '#main/alerting/alert-port.ts';
import { ClockWatch } from '#main/platform/clock-watch.ts';
import type { Log } from '#main/platform/log.ts';
import type { Connectivity } from '#main/self-monitoring/connectivity-port.ts';
import type { Change, Configuration } from '#main/store/configuration/configuration.ts';
import type { History, KeptState } from '#main/store/history/history.ts';
import type { Check, HeartbeatCheck, RunnableCheck } from '#shared/checks/check.ts';
import { isHeartbeat } from '#shared/checks/check.ts';
import type { HeartbeatState } from '#shared/checks/enums.ts';
import { groupOf, withGroup } from '#shared/groups/merge-group.ts';
import type { KeptStatus } from '#shared/results/check-status.ts';
import { Broadcast, GroupSettingsChanges } from './broadcast.ts';
import type { CheckActor } from './check-actor.ts';
import { CheckActors } from './check-actors.ts';
import type { CheckRunParts } from './check-run.ts';
import type { CheckRuns, RequestedRun, RunFollower } from './check-runs-port.ts';
import { type HeartbeatActor, HeartbeatActors } from './heartbeat-actors.ts';
import type { MaintenanceWatch } from './maintenance-watch.ts';
import type { Monitor, Ping, ResultListener, RunCounts } from './monitor-port.ts';
import { Overload } from './overload.ts';
import { memoryProblem } from './persisted-state.ts';
import { Recorder } from './recorder.ts';
import { Reminders } from './reminders.ts';
import { UnsavedRuns } from './unsaved-runs.ts';

interface SupervisorParts extends Omit<CheckRunParts, 'recorder'> {
  dispatcher: CheckRunParts['dispatcher'] & { readonly inFlight: number };
  connectivity: Pick<Connectivity, 'judge' | 'doubt' | 'wasOffline'>;
  configuration: Configuration;
  maintenance: Pick<MaintenanceWatch, 'of'>;
  history: History;
  alerts: AlertPort;
  log: Log;
}

type Actor = { kind: 'check'; ref: CheckActor } | { kind: 'heartbeat'; ref: HeartbeatActor };

/** How long an actor that failed stays down before it is started again. */
const REVIVAL_MS = 60_000;
/** How long a stop waits for the runs under way. */
const DRAIN_MS = 5_000;

/**
 * Holds an actor for every check and every heartbeat: makes it, sends it edits and ends it as the
 * configuration changes.
 */
export class Supervisor implements Monitor, CheckRuns {
  readonly #parts: SupervisorParts;
  readonly #recorder: Recorder;
  readonly #overload: Overload;
  readonly #reminders: Reminders;
  readonly #checks: CheckActors;
  readonly #heartbeats: HeartbeatActors;
  readonly #unsaved: UnsavedRuns;
  readonly #actors = new Map<string, Actor>();
  readonly #broadcast: Broadcast;
  readonly #groupChanges: GroupSettingsChanges;
  readonly #subscriptions: (() => void)[] = [];
  #clockWatch: ClockWatch | undefined;
  #isStopped = false;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    this.#recorder = new Recorder({
      ...parts,
      alertMoved: (checkId) => this.#reminders.look(checkId),
    });
    this.#reminders = new Reminders({
      ...parts,
      stateOf: (checkId) => this.#recorder.stateOf(checkId)?.alert,
      write: (checkId, records) => this.#recorder.writeAlert(checkId, records),
    });
    const isPaused = (check: Check, at: number) => parts.maintenance.of(check, at).paused;
    const failed = (checkId: string, error: unknown) => this.#revive(checkId, error);
    this.#broadcast = new Broadcast(failed);
    this.#groupChanges = new GroupSettingsChanges({
      checks: parts.configuration.checks,
      broadcast: this.#broadcast,
      notify: (check) => this.#edit(check),
    });
    const shared = { ...parts, recorder: this.#recorder, isPaused, failed };
    this.#overload = new Overload(parts);
    this.#checks = new CheckActors({ ...shared, overload: this.#overload });
    this.#heartbeats = new HeartbeatActors(shared);
    this.#unsaved = new UnsavedRuns(shared);
  }

  /** Restores an actor for every check; from then on follows the configuration. */
  async start(): Promise<void> {
    const { configuration, history } = this.#parts;
    const states = await history.loadStates();
    for (const check of configuration.checks.all()) {
      this.#restore(check, this.#readable(check, states.get(check.id)));
    }
    // A crash between the deletion of a check and of its history leaves the latter behind. A check that
    // cannot be read is not gone.
    const gone = configuration.checks.unreadable > 0 ? [] : [...states.keys()];
    for (const id of gone) if (!configuration.checks.get(id)) this.#forgetHistory(id);
    this.#subscriptions.push(
      configuration.checks.subscribe((change) => this.#follow(change)),
      configuration.groups.subscribe(
        ({ record }) => void this.#groupChanges.groupChanged(record.id),
      ),
      configuration.account.subscribe(() => this.#reminders.lookAtAll()),
    );
    this.#clockWatch = new ClockWatch(
      this.#parts.clock,
      (jumpedMs) => void this.#notifyJump(jumpedMs),
    );
  }

  /** Ends every actor and waits a while for the runs under way to be kept. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe();
    this.#clockWatch?.stop();
    this.#broadcast.stop();
    this.#reminders.stop();
    this.#recorder.stop();
    for (const { ref } of this.#actors.values()) ref.stop();
    this.#actors.clear();
    const { clock, log } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.setTimeout(resolve, DRAIN_MS);
    await Promise.race([Promise.all([this.#checks.drain(), this.#unsaved.drain()]), promise]);
    clock.clearTimeout(timer);
    if (this.isStoreFailing) {
      log.error('The store still fails: what waited for it in memory is lost with this stop.');
    }
  }

  statusOf(checkId: string): KeptStatus | undefined {
    return this.#recorder.statusOf(checkId);
  }

  troubleSince(checkId: string): number | null {
    return this.#recorder.stateOf(checkId)?.alert?.troubleSince ?? null;
  }

  runCounts(): RunCounts {
    return this.#recorder.counts;
  }

  listen(listener: ResultListener): () => void {
    return this.#recorder.listen(listener);
  }

  /** Whether records wait in memory, as the store fails. */
  get isStoreFailing(): boolean {
    return this.#recorder.isStoreFailing;
  }

  /** Whether slots are skipped, as results come faster than the history can write them. */
  get isOverloaded(): boolean {
    return this.#overload.holds;
  }

  async ping(checkId: string, ping: Ping): Promise<HeartbeatState | undefined> {
    const actor = this.#actors.get(checkId);
    return actor?.kind === 'heartbeat' ? this.#heartbeats.ping(actor.ref, ping) : undefined;
  }

  order(checkId: string, order: RequestedRun, follower: RunFollower): boolean {
    const { check } = order.overrides;
    if (check !== undefined) {
      this.#unsaved.start(check, { order, follower });
      return true;
    }
    // A trigger after an edit of a group must run its checks by that edit.
    this.#groupChanges.catchUp(checkId);
    const actor = this.#actors.get(checkId);
    if (actor?.kind !== 'check') return false;
    actor.ref.send({ type: 'ORDERED', order, follower });
    return true;
  }

  cancel(checkId: string, orderId: string): void {
    if (this.#unsaved.cancel(orderId)) return;
    const actor = this.#actors.get(checkId);
    if (actor?.kind === 'check') actor.ref.send({ type: 'CANCELLED', orderId });
  }

  #follow(change: Change<Check>): void {
    const { record: check } = change;
    if (change.kind === 'delete') this.#end(check);
    else if (change.previous) this.#edit(check);
    else this.#restore(check, undefined);
  }

  #notifyJump(jumpedMs: number): void {
    this.#parts.log.warn({ jumpedMs }, 'The machine slept, or its clock was set.');
    this.#reminders.lookAtAll();
    void this.#broadcast.to([...this.#actors.keys()], (id) =>
      this.#actors.get(id)?.ref.send({ type: 'CLOCK_JUMPED' }),
    );
  }

  #edit(edited: Check): void {
    const check = withGroup(edited, groupOf(edited, this.#parts.configuration.groups));
    this.#followAlerts(check);
    const actor = this.#actors.get(check.id);
    if (actor?.kind === 'heartbeat') {
      actor.ref.send({ type: 'EDITED', check: check as HeartbeatCheck });
    } else {
      actor?.ref.send({ type: 'EDITED', check: check as RunnableCheck });
    }
  }

  /** A deactivated check has no alert and no reminders. */
  #followAlerts({ id, activated }: Check): void {
    if (!activated) this.#recorder.suspend(id);
    this.#reminders.look(id);
  }

  #end(check: Check): void {
    this.#remove(check.id, 'deleted');
    this.#parts.alerts.deleted(check, this.#recorder.stateOf(check.id)?.alert);
    this.#recorder.forget(check.id);
    this.#forgetHistory(check.id);
  }

  /** Ends an actor; the followers of its runs are notified. */
  #remove(checkId: string, how: 'cancelled' | 'deleted'): void {
    const actor = this.#actors.get(checkId);
    this.#actors.delete(checkId);
    if (actor?.kind === 'check') this.#checks.end(checkId, actor.ref, how);
    else actor?.ref.stop();
  }

  #forgetHistory(checkId: string): void {
    const { history, log } = this.#parts;
    history.forget(checkId).catch((error: unknown) => {
      const message = 'The history of a deleted check is still there; the next start tries again.';
      log.error({ err: error, checkId }, message);
    });
  }

  /** The state comes from a file: a check whose state does not pass the schema begins anew. */
  #readable(check: Check, kept: KeptState | undefined): KeptState | undefined {
    const problem = kept && memoryProblem(check, kept);
    if (!problem) return kept;
    const message = 'What is kept of a check cannot be read; it begins anew.';
    this.#parts.log.error({ err: problem, checkId: check.id }, message);
    return undefined;
  }

  #restore(saved: Check, kept: KeptState | undefined): void {
    this.#recorder.open(saved.id, kept);
    const group = groupOf(saved, this.#parts.configuration.groups);
    const check = withGroup(saved, group);
    this.#followAlerts(check);
    const actor: Actor = isHeartbeat(check)
      ? { kind: 'heartbeat', ref: this.#heartbeats.make(check, kept) }
      : { kind: 'check', ref: this.#checks.make(check, group, kept) };
    this.#actors.set(check.id, actor);
    actor.ref.start();
  }

  /** An actor that failed is started again after a while; the others go on. */
  #revive(checkId: string, error: unknown): void {
    const { clock, log, configuration } = this.#parts;
    log.error({ err: error, checkId }, 'An actor failed; it is started again in a minute.');
    this.#remove(checkId, 'cancelled');
    clock.setTimeout(() => {
      const check = configuration.checks.get(checkId);
      if (!this.#isStopped && check && !this.#actors.has(checkId))
        this.#restore(check, this.#recorder.stateOf(checkId));
    }, REVIVAL_MS);
  }
}
