import type { SkippedSlots } from '#main/store/history/history.ts';
import type { HeartbeatCheck } from '#shared/checks/check.ts';
import { UNIT_MS } from '#shared/checks/heartbeat.ts';
import {
  deadlineAt,
  expectedAt,
  pingState,
  type Timer,
  timerVerdict,
} from '#shared/checks/heartbeat-rules.ts';
import type {
  HeartbeatContext,
  HeartbeatPersistedState,
  HeartbeatRecord,
  PingEvent,
} from './heartbeat-context.ts';

/** The records of a heartbeat: pings, misses and gaps. */

/** The timer of a heartbeat by its settings and its persisted state; times in ms. */
export function heartbeatTimer(
  check: HeartbeatCheck,
  { lastResetAt }: HeartbeatPersistedState,
): Timer {
  const { period, periodUnit, grace, graceUnit } = check.heartbeat;
  return {
    lastResetAt,
    periodMs: period * UNIT_MS[periodUnit],
    graceMs: grace * UNIT_MS[graceUnit],
  };
}

export const timerOf = (context: HeartbeatContext) => heartbeatTimer(context.check, context);
export const verdictOf = (context: HeartbeatContext) =>
  timerVerdict(timerOf(context), context.clock.now());

interface Subject {
  context: HeartbeatContext;
}

export function now({ context: { check, clock } }: Subject) {
  return { check, at: clock.now() };
}

export function whenExpected({ context }: Subject) {
  return { check: context.check, at: expectedAt(timerOf(context)) };
}

export function thisMoment({ context: { clock } }: Subject) {
  return { from: clock.now(), to: clock.now() };
}

export function whileExpected({ context }: Subject) {
  const timer = timerOf(context);
  return { from: expectedAt(timer), to: deadlineAt(timer) };
}

export function acceptedPing({ context, event }: { context: HeartbeatContext; event: PingEvent }) {
  return { fact: pingFact(context, event), reply: event.reply };
}

function pingFact(
  context: HeartbeatContext,
  { at, source, userAgent }: PingEvent,
): HeartbeatRecord {
  const { check } = context;
  const state = check.activated ? pingState(timerOf(context), at) : 'RECEIVED';
  return { check, state, at, source, userAgent, memory: { lastResetAt: at } };
}

export function missRecord(context: HeartbeatContext): HeartbeatRecord {
  const at = deadlineAt(timerOf(context));
  return {
    check: context.check,
    state: 'FAILING',
    at,
    source: null,
    userAgent: null,
    memory: { lastResetAt: at },
  };
}

/** From the ping that was expected while the machine slept until now. */
export function gapAsleep({ context }: Subject): SkippedSlots {
  return gap(context, 'asleep');
}

/** From the ping that was expected in maintenance until now. */
export function gapPaused({ context }: Subject): SkippedSlots {
  return gap(context, 'maintenance');
}

/** From the ping that was expected while the monitor was offline until now. */
export function gapOffline({ context }: Subject): SkippedSlots {
  return gap(context, 'blind');
}

function gap(context: HeartbeatContext, reason: SkippedSlots['reason']): SkippedSlots {
  const fromSlot = expectedAt(timerOf(context));
  const toSlot = context.clock.now();
  return { checkId: context.check.id, fromSlot, toSlot, count: 1, reason };
}

/** Every ping starts the timer again. */
export function timerAtPing({ event }: { event: PingEvent }): HeartbeatPersistedState {
  return { lastResetAt: event.at };
}

/** Saving a changed period or grace, or activating, starts a running timer at the save. */
export function timerAfterEdit(
  context: HeartbeatContext,
  edited: HeartbeatCheck,
): HeartbeatPersistedState {
  const before = heartbeatTimer(context.check, context);
  const after = heartbeatTimer(edited, context);
  const restarts =
    before.periodMs !== after.periodMs ||
    before.graceMs !== after.graceMs ||
    (!context.check.activated && edited.activated);
  const started = context.lastResetAt !== null;
  return { lastResetAt: restarts && started ? context.clock.now() : context.lastResetAt };
}
