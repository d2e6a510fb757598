import { type ActorRefFrom, createActor, fromPromise } from 'xstate';
import type { Check, HeartbeatCheck, RunnableCheck } from '#shared/check/check.ts';
import { isHeartbeat } from '#shared/check/check.ts';
import type { HeartbeatState } from '#shared/check/enums.ts';
import type { KeptStatus } from '#shared/result/check-status.ts';
import { groupOf, withGroup } from '#shared/rules/group.ts';
import type { AlertPort } from '../alerts/alert-port.ts';
import { Reminders } from '../alerts/reminders.ts';
import { type Monitor, type Ping, type RunCounts, StoreBusy } from '../api/services.ts';
import type { Log } from '../log.ts';
import type { Sight } from '../sight/sight-port.ts';
import type { Change, Configuration } from '../store/configuration.ts';
import type { History, KeptState, SkippedSlots } from '../store/history.ts';
import { actorClock } from './actor-clock.ts';
import { checkMachine } from './check.machine.ts';
import { CheckRunner } from './check-runner.ts';
import { ClockWatch } from './clock-watch.ts';
import { heartbeatMachine } from './heartbeat.machine.ts';
import type { HeartbeatFact } from './heartbeat-context.ts';
import { MaintenanceWatch } from './maintenance-watch.ts';
import { type CheckMemory, checkMemory, gapWhileDown, heartbeatMemory } from './memory.ts';
import { Recorder } from './recorder.ts';
import type { CheckRuns, RunFollower, RunOrder } from './run-order.ts';
import type { RunnerParts } from './run-port.ts';
import { uuidAt } from './uuid-at.ts';

export interface RootParts extends Omit<RunnerParts, 'recorder'> {
  sight: Pick<Sight, 'judge' | 'doubt' | 'wasBlind'>;
  configuration: Configuration;
  history: History;
  alerts: AlertPort;
  log: Log;
}

type CheckActor = ActorRefFrom<typeof checkMachine>;
type HeartbeatActor = ActorRefFrom<typeof heartbeatMachine>;
type Actor = { kind: 'check'; ref: CheckActor } | { kind: 'heartbeat'; ref: HeartbeatActor };

/** How long an actor that failed stays down before it is started again. */
const REVIVAL_MS = 60_000;
/** How long a stop waits for the runs under way. */
const DRAIN_MS = 5_000;

/**
 * The root of the actors: one for every check and one for every heartbeat, made, told of edits and
 * ended as the configuration changes. Where a machine's ports are bound.
 */
export class Root implements Monitor, CheckRuns {
  readonly #parts: RootParts;
  readonly #recorder: Recorder;
  readonly #reminders: Reminders;
  readonly #runner: CheckRunner;
  readonly #checkLogic: typeof checkMachine;
  readonly #heartbeatLogic: typeof heartbeatMachine;
  readonly #actors = new Map<string, Actor>();
  readonly #subscriptions: (() => void)[] = [];
  readonly #maintenance: MaintenanceWatch;
  #clockWatch: ClockWatch | undefined;
  #isStopped = false;

  constructor(parts: RootParts) {
    this.#parts = parts;
    const { clock, configuration } = parts;
    this.#maintenance = new MaintenanceWatch(configuration.maintenanceWindows);
    this.#subscriptions.push(this.#maintenance.close);
    this.#recorder = new Recorder({
      ...parts,
      alertMoved: (checkId) => this.#reminders.look(checkId),
    });
    this.#reminders = new Reminders({
      ...parts,
      stateOf: (checkId) => this.#recorder.stateOf(checkId)?.alert,
      told: (checkId, facts) => this.#recorder.told(checkId, facts),
    });
    this.#runner = new CheckRunner({ ...parts, recorder: this.#recorder });
    this.#checkLogic = checkMachine.provide({
      actors: { run: fromPromise(({ input }) => this.#runner.run(input)) },
      actions: {
        countSkipped: (_, skipped) => this.#countSkipped(skipped),
        cancelRun: (_, { checkId }) => this.#runner.cancel(checkId),
      },
      guards: { isPaused: ({ context }) => this.#isPaused(context.check, clock.now()) },
    });
    this.#heartbeatLogic = heartbeatMachine.provide({
      actions: {
        takePing: (_, { fact, reply }) => reply(fact.state, this.#keepPing(fact)),
        raiseDoubt: (_, { checkId }) => parts.sight.doubt(checkId),
        recordMiss: (_, fact) => void this.#keepEvent(fact),
        recordGap: (_, gap) => void this.#recorder.skipped(gap),
      },
      guards: {
        isPaused: (_, { check, at }) => this.#isPaused(check, at),
        isUnseen: (_, { from, to }) => parts.sight.wasBlind(from, to),
      },
    });
  }

  /** Restores an actor for every check; from then on follows the configuration. */
  async start(): Promise<void> {
    const { configuration, history } = this.#parts;
    const states = await history.loadStates();
    for (const check of configuration.checks.all()) this.#restore(check, states.get(check.id));
    // A crash between the deletion of a check and of its history leaves the latter behind.
    for (const id of states.keys()) if (!configuration.checks.get(id)) this.#forgetHistory(id);
    this.#subscriptions.push(
      configuration.checks.subscribe((change) => this.#follow(change)),
      configuration.groups.subscribe(({ record }) => this.#followGroup(record.id)),
      configuration.account.subscribe(() => this.#reminders.lookAtAll()),
    );
    this.#clockWatch = new ClockWatch(this.#parts.clock, (jumpedMs) => this.#tellJump(jumpedMs));
  }

  /** Ends every actor and waits a while for the runs under way to be kept. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe();
    this.#clockWatch?.stop();
    this.#reminders.stop();
    for (const { ref } of this.#actors.values()) ref.stop();
    this.#actors.clear();
    const { clock, log } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.setTimeout(resolve, DRAIN_MS);
    await Promise.race([this.#runner.drain(), promise]);
    clock.clearTimeout(timer);
    if (this.isStoreFailing) {
      log.error('The store still fails: what waited for it in memory is lost with this stop.');
    }
  }

  statusOf(checkId: string): KeptStatus | undefined {
    return this.#recorder.statusOf(checkId);
  }

  runCounts(): RunCounts {
    return this.#recorder.counts;
  }

  /** Whether what happens waits, as the store fails. */
  get isStoreFailing(): boolean {
    return this.#recorder.isStoreFailing;
  }

  async ping(checkId: string, ping: Ping): Promise<HeartbeatState | undefined> {
    const at = this.#parts.clock.now();
    const actor = this.#actors.get(checkId);
    if (actor?.kind !== 'heartbeat') return undefined;
    const { promise, resolve } = Promise.withResolvers<{
      state: HeartbeatState;
      kept: Promise<void>;
    }>();
    const reply = (state: HeartbeatState, kept: Promise<void>) => resolve({ state, kept });
    actor.ref.send({ type: 'PING', at, ...ping, reply });
    const { state, kept } = await promise;
    await kept;
    return state;
  }

  order(checkId: string, order: RunOrder, follower: RunFollower): boolean {
    const actor = this.#actors.get(checkId);
    if (actor?.kind !== 'check') return false;
    actor.ref.send({ type: 'ORDERED', order, follower });
    return true;
  }

  cancel(checkId: string, orderId: string): void {
    const actor = this.#actors.get(checkId);
    if (actor?.kind === 'check') actor.ref.send({ type: 'CANCELLED', orderId });
  }

  #isPaused(check: Check, at: number): boolean {
    return this.#maintenance.of(check, at).paused;
  }

  #countSkipped(skipped: SkippedSlots): void {
    this.#runner.passOver(skipped.checkId, skipped.toSlot);
    void this.#recorder.skipped(skipped);
  }

  #follow(change: Change<Check>): void {
    const { record: check } = change;
    if (change.kind === 'delete') this.#end(check.id);
    else if (change.previous) this.#edit(check);
    else this.#begin(check);
  }

  #begin(check: Check): void {
    this.#recorder.open(check.id, undefined);
    this.#spawn(check, undefined, true);
  }

  #tellJump(jumpedMs: number): void {
    this.#parts.log.warn({ jumpedMs }, 'The machine slept, or its clock was set.');
    for (const { ref } of this.#actors.values()) ref.send({ type: 'CLOCK_JUMPED' });
    this.#reminders.lookAtAll();
  }

  /** A group's settings are settings of its checks. */
  #followGroup(groupId: string): void {
    for (const check of this.#parts.configuration.checks.all()) {
      if (String(check.groupId) === groupId) this.#edit(check);
    }
  }

  /** The check as it runs: with the settings of its group. */
  #asItRuns<C extends Check>(check: C): C {
    return withGroup(check, groupOf(check, this.#parts.configuration.groups));
  }

  #edit(edited: Check): void {
    const check = this.#asItRuns(edited);
    this.#followAlerts(check);
    const actor = this.#actors.get(check.id);
    if (actor?.kind === 'heartbeat') {
      actor.ref.send({ type: 'EDITED', check: check as HeartbeatCheck });
    } else {
      actor?.ref.send({ type: 'EDITED', check: check as RunnableCheck });
    }
  }

  /** A check that does not run alerts no more, and reminds of nothing. */
  #followAlerts({ id, activated }: Check): void {
    if (!activated) this.#recorder.suspend(id);
    this.#reminders.look(id);
  }

  #end(checkId: string): void {
    this.#remove(checkId, 'deleted');
    this.#recorder.forget(checkId);
    this.#forgetHistory(checkId);
  }

  /** Ends an actor; whoever follows a run of it is told how. */
  #remove(checkId: string, how: 'cancelled' | 'deleted'): void {
    const actor = this.#actors.get(checkId);
    this.#actors.delete(checkId);
    this.#runner.abandon(checkId, how);
    if (actor?.kind === 'check') {
      for (const { follower } of actor.ref.getSnapshot().context.orders) follower.ended(how);
    }
    actor?.ref.stop();
  }

  #forgetHistory(checkId: string): void {
    const { history, log } = this.#parts;
    history.forget(checkId).catch((error: unknown) => {
      const message = 'The history of a deleted check is still there; the next start tries again.';
      log.error({ err: error, checkId }, message);
    });
  }

  #restore(check: Check, kept: KeptState | undefined): void {
    this.#recorder.open(check.id, kept);
    if (!isHeartbeat(check)) {
      const { clock, configuration } = this.#parts;
      const group = groupOf(check, configuration.groups);
      const gap = gapWhileDown(withGroup(check, group), group, checkMemory(kept), clock.now());
      if (gap) void this.#recorder.skipped(gap);
    }
    // With the gap counted in it, so that a run that is taken up does not have it counted again.
    this.#spawn(check, this.#recorder.stateOf(check.id), kept === undefined);
  }

  #spawn(saved: Check, kept: KeptState | undefined, fresh: boolean): void {
    const check = this.#asItRuns(saved);
    this.#followAlerts(check);
    const actor = isHeartbeat(check)
      ? this.#heartbeatActor(check, kept)
      : this.#checkActor(check, checkMemory(kept), fresh);
    this.#actors.set(check.id, actor);
    actor.ref.start();
  }

  #checkActor(check: RunnableCheck, memory: CheckMemory, fresh: boolean): Actor {
    const { clock } = this.#parts;
    const input = { check, clock, memory, fresh };
    const ref = createActor(this.#checkLogic, { clock: actorClock(clock), input });
    ref.subscribe({ error: (error) => this.#revive(check.id, error) });
    return { kind: 'check', ref };
  }

  #heartbeatActor(check: HeartbeatCheck, kept: KeptState | undefined): Actor {
    const { clock } = this.#parts;
    const input = { check, clock, memory: heartbeatMemory(check, kept, clock.now()) };
    const ref = createActor(this.#heartbeatLogic, { clock: actorClock(clock), input });
    ref.subscribe({ error: (error) => this.#revive(check.id, error) });
    return { kind: 'heartbeat', ref };
  }

  /** One actor that fails takes no other with it, and comes back. */
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

  async #keepPing(fact: HeartbeatFact): Promise<void> {
    if (!(await this.#keepEvent(fact))) throw new StoreBusy();
  }

  #keepEvent({ check, state, at, source, userAgent, memory }: HeartbeatFact): Promise<boolean> {
    const id = uuidAt(at);
    const event = { id, checkId: check.id, state, timestamp: at, source, userAgent };
    return this.#recorder.heartbeat(event, { ...memory });
  }
}
