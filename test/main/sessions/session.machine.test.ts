import { afterAll, describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import { type SessionEvent, sessionMachine } from '#main/sessions/session.machine.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import type { StoredSession } from '#shared/sessions/check-session.ts';
import { DEADLINE_MARGIN_MS } from '#shared/sessions/session-rules.ts';
import { makeResult } from '../../fixtures/fake-check-runs.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { makeSession, NOW, OUTCOMES } from './fixtures.ts';

const coverage = new MachineCoverage(sessionMachine);
afterAll(() => coverage.expectFullCoverage());

const RUN = {
  startedAt: NOW,
  sequences: ['a', 'b'].map((location) => ({ id: `sequence ${location}`, location })),
  atMostMs: 60_000,
};
/** With the margin. */
const DEADLINE_MS = RUN.atMostMs + DEADLINE_MARGIN_MS;

/** A session on a clock of its own, whose ports only say what they were asked for. */
function run(members: Partial<StoredSession> = {}, clock = new SimulatedClock(NOW)) {
  const asked: string[] = [];
  const logic = sessionMachine.provide({
    actions: {
      keep: (_, { session }) => void asked.push(`keep ${session.status}`),
      cancelRun: () => void asked.push('cancel run'),
    },
  });
  const actor = createActor(logic, {
    clock: actorClock(clock),
    inspect: coverage.inspect,
    input: { session: makeSession(members), clock },
  }).start();
  const session = () => actor.getSnapshot().context.session;
  const send = (...events: SessionEvent[]) => {
    for (const event of events) if (actor.getSnapshot().status === 'active') actor.send(event);
    return session().status;
  };
  return { actor, asked, clock, send, session };
}

const started: SessionEvent = { type: 'RUN_STARTED', run: RUN };

function result(location: string, members: Partial<StoredResult> = {}): SessionEvent {
  const sequenceId = `sequence ${location}`;
  return {
    type: 'RESULT',
    result: makeResult(NOW, { runLocation: location, sequenceId, ...members }),
  };
}

describe('a session', () => {
  test.each([
    ['passed', 'PROGRESS', 'PASSED'],
    ['degraded', 'PROGRESS_DEGRADED', 'DEGRADED'],
    ['failed', 'PROGRESS_FAILED', 'FAILED'],
    ['inconclusive', 'PROGRESS_FAILED', 'FAILED'],
  ] as const)('of which one result is %s is %s, then %s', (outcome, progress, end) => {
    const { send, actor } = run();
    expect(send(started)).toBe('PROGRESS');
    expect(send(result('a', OUTCOMES[outcome]))).toBe(progress);
    expect(actor.getSnapshot().value).toEqual({ underWay: progress });
    expect(send(result('b'))).toBe(end);
    expect(actor.getSnapshot()).toMatchObject({ value: end, status: 'done' });
  });

  test('keeps its start by itself, and leaves results to be kept with theirs', () => {
    const { send, asked } = run();
    send(started, result('a'), result('b'));
    expect(asked).toEqual(['keep PROGRESS']);
  });

  test('times out when its time is over, and has its run make no further attempt', async () => {
    const { send, asked, clock, session } = run();
    send(started);
    await clock.advance(DEADLINE_MS - 1);
    expect(session().status).toBe('PROGRESS');
    await clock.advance(1);
    expect(session()).toMatchObject({ status: 'TIMED_OUT', stoppedAt: NOW + DEADLINE_MS });
    expect(asked).toEqual(['keep PROGRESS', 'keep TIMED_OUT', 'cancel run']);
  });

  test('waits on when its timer fires before its time, as after a clock was set back', async () => {
    const { send, clock, session } = run();
    send(started, result('a', OUTCOMES.failed));
    clock.jump(-10_000);
    await clock.advance(DEADLINE_MS + 10_000 - 1);
    expect(session().status).toBe('PROGRESS_FAILED');
    await clock.advance(1);
    expect(session().status).toBe('TIMED_OUT');
  });

  test.each([
    ['CANCEL', 'CANCELLED', ['keep CANCELLED', 'cancel run']],
    ['CHECK_DELETED', 'CANCELLED', ['keep CANCELLED']],
    ['RUN_ENDED', 'FAILED', ['keep FAILED']],
  ] as const)('ends at %s as %s, whether it waits or is under way', (type, status, expected) => {
    const waiting = run();
    expect(waiting.send({ type })).toBe(status);
    expect(waiting.asked).toEqual(expected);
    const underWay = run();
    expect(underWay.send(started, { type })).toBe(status);
    expect(underWay.asked).toEqual(['keep PROGRESS', ...expected]);
  });
});

describe('a session from before a restart', () => {
  const deadlineAt = NOW + DEADLINE_MS;
  const runLocations = ['a', 'b'];

  test.each([
    ['STARTED', 'STARTED'],
    ['PROGRESS', { underWay: 'PROGRESS' }],
    ['PROGRESS_DEGRADED', { underWay: 'PROGRESS_DEGRADED' }],
    ['PROGRESS_FAILED', { underWay: 'PROGRESS_FAILED' }],
  ] as const)('that was %s is so again', (status, value) => {
    const { actor, asked } = run({ status, deadlineAt, runLocations });
    expect(actor.getSnapshot().value).toEqual(value);
    expect(asked).toEqual([]);
  });

  test('whose run begins again has the deadline that it had', async () => {
    const { send, clock, session } = run({ status: 'PROGRESS', deadlineAt, runLocations });
    await clock.advance(50_000);
    send({ type: 'RUN_STARTED', run: { ...RUN, startedAt: clock.now() } });
    await clock.advance(DEADLINE_MS - 50_000);
    expect(session().status).toBe('TIMED_OUT');
  });

  test('whose time passed meanwhile has timed out', () => {
    const { session, asked } = run({ status: 'PROGRESS', deadlineAt: NOW, runLocations });
    expect(session()).toMatchObject({ status: 'TIMED_OUT', stoppedAt: NOW });
    expect(asked).toEqual(['keep TIMED_OUT', 'cancel run']);
  });
});
