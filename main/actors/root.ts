import { type ActorRefFrom, createActor, fromPromise } from 'xstate';
import type { Check, HeartbeatCheck, RunnableCheck } from '#shared/check/check.ts';
import { isHeartbeat } from '#shared/check/check.ts';
import type { HeartbeatState } from '#shared/check/enums.ts';
import type { Clock } from '#shared/clock.ts';
import type { KeptStatus } from '#shared/result/check-status.ts';
import { type Monitor, type Ping, type RunCounts, StoreBusy } from '../api/services.ts';
import type { Log } from '../log.ts';
import type { Change, Configuration } from '../store/configuration.ts';
import type { History, KeptState } from '../store/history.ts';
import { type CheckMemory, checkMachine } from './check.machine.ts';
import { type HeartbeatFact, heartbeatMachine } from './heartbeat.machine.ts';
import { checkMemory, gapWhileDown, heartbeatMemory } from './memory.ts';
import { Recorder } from './recorder.ts';
import { type RunPort, SlotRunner } from './slot-runner.ts';
import { uuidAt } from './uuid-at.ts';

export interface RootParts {
  configuration: Configuration;
  history: History;
  dispatcher: RunPort;
  clock: Clock;
  log: Log;
  deniedRanges: readonly string[];
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
export class Root implements Monitor {
  readonly #parts: RootParts;
  readonly #recorder: Recorder;
  readonly #slots: SlotRunner;
  readonly #checkLogic: typeof checkMachine;
  readonly #heartbeatLogic: typeof heartbeatMachine;
  readonly #actors = new Map<string, Actor>();
  #unsubscribe: () => void = () => undefined;

  constructor(parts: RootParts) {
    this.#parts = parts;
    const { history, clock, log } = parts;
    this.#recorder = new Recorder(history, clock, log);
    this.#slots = new SlotRunner({ ...parts, recorder: this.#recorder });
    this.#checkLogic = checkMachine.provide({
      actors: { runSlot: fromPromise(({ input }) => this.#slots.run(input)) },
      actions: { countSkipped: (_, skipped) => void this.#recorder.skipped(skipped) },
    });
    this.#heartbeatLogic = heartbeatMachine.provide({
      actions: {
        takePing: (_, { fact, reply }) => reply(fact.state, this.#keepPing(fact)),
        recordMiss: (_, fact) => void this.#keepEvent(fact),
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
    this.#unsubscribe = configuration.checks.subscribe((change) => this.#follow(change));
  }

  /** Ends every actor and waits a while for the runs under way to be kept. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    for (const { ref } of this.#actors.values()) ref.stop();
    this.#actors.clear();
    const { clock } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.setTimeout(resolve, DRAIN_MS);
    await Promise.race([this.#slots.idle(), promise]);
    clock.clearTimeout(timer);
  }

  statusOf(checkId: string): KeptStatus | undefined {
    return this.#recorder.statusOf(checkId);
  }

  runCounts(): RunCounts {
    return this.#recorder.counts;
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

  #edit(check: Check): void {
    const actor = this.#actors.get(check.id);
    if (actor?.kind === 'heartbeat') {
      actor.ref.send({ type: 'EDITED', check: check as HeartbeatCheck });
    } else {
      actor?.ref.send({ type: 'EDITED', check: check as RunnableCheck });
    }
  }

  #end(checkId: string): void {
    this.#actors.get(checkId)?.ref.stop();
    this.#actors.delete(checkId);
    this.#recorder.forget(checkId);
    this.#forgetHistory(checkId);
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
      const gap = gapWhileDown(check, checkMemory(kept), this.#parts.clock.now());
      if (gap) void this.#recorder.skipped(gap);
    }
    this.#spawn(check, kept, kept === undefined);
  }

  #spawn(check: Check, kept: KeptState | undefined, fresh: boolean): void {
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
    this.#actors.delete(checkId);
    clock.setTimeout(() => {
      const check = configuration.checks.get(checkId);
      if (check && !this.#actors.has(checkId))
        this.#spawn(check, this.#recorder.stateOf(checkId), false);
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

/** XState calls a clock's functions detached from it. */
function actorClock(clock: Clock) {
  return {
    setTimeout: (callback: () => void, delayMs: number) => clock.setTimeout(callback, delayMs),
    clearTimeout: (handle: unknown) => clock.clearTimeout(handle),
  };
}
