import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import { checkSessionRules } from '#main/sessions/check-session-kind.ts';
import { createSessionMachine, type SessionEvent } from '#main/sessions/session.machine.ts';
import { testSessionRules } from '#main/sessions/test-session-kind.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import type { StoredSession } from '#shared/sessions/check-session.ts';
import { DEADLINE_MARGIN_MS } from '#shared/sessions/session-rules.ts';
import type { StoredTestSession } from '#shared/sessions/test-session.ts';
import { pendingResult } from '#shared/sessions/test-session-rules.ts';
import { makeResult } from '../../fixtures/fake-check-runs.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { CHECK, makeSession, NOW, OUTCOMES } from './fixtures.ts';

const coverage = new MachineCoverage(
  createSessionMachine({
    rules: checkSessionRules,
    clock: new SimulatedClock(NOW),
    write: () => undefined,
    cancelRuns: () => undefined,
  }),
);
afterAll(() => coverage.expectFullCoverage());

const RUN = {
  startedAt: NOW,
  sequences: ['a', 'b'].map((location) => ({ id: `sequence ${location}`, location })),
  atMostMs: 60_000,
};
/** With the margin. */
const DEADLINE_MS = RUN.atMostMs + DEADLINE_MARGIN_MS;

/** A check session on a clock of its own, whose ports only say what they were asked for. */
function run(members: Partial<StoredSession> = {}, clock = new SimulatedClock(NOW)) {
  const asked: string[] = [];
  const logic = createSessionMachine({
    rules: checkSessionRules,
    clock,
    write: ({ status }) => void asked.push(`write ${status}`),
    cancelRuns: () => void asked.push('cancel run'),
  });
  const actor = createActor(logic, {
    clock: actorClock(clock),
    inspect: coverage.inspect,
    input: { session: makeSession(members) },
  }).start();
  const session = () => actor.getSnapshot().context.session;
  const send = (...events: SessionEvent[]) => {
    for (const event of events) if (actor.getSnapshot().status === 'active') actor.send(event);
    return session().status;
  };
  return { actor, asked, clock, send, session };
}

const started: SessionEvent = { type: 'RUN_STARTED', runId: 'run', run: RUN };

function ended(runId: string, how: 'settled' | 'cancelled' | 'deleted'): SessionEvent {
  return { type: 'RUN_ENDED', runId, how };
}

function result(location: string, members: Partial<StoredResult> = {}): SessionEvent {
  const sequenceId = `sequence ${location}`;
  return {
    type: 'RESULT',
    runId: 'run',
    result: makeResult(NOW, { runLocation: location, sequenceId, ...members }),
  };
}

describe('a check session', () => {
  test.each([
    ['passed', 'PROGRESS', 'PASSED'],
    ['degraded', 'PROGRESS_DEGRADED', 'DEGRADED'],
    ['failed', 'PROGRESS_FAILED', 'FAILED'],
    ['inconclusive', 'PROGRESS_FAILED', 'FAILED'],
  ] as const)('of which one result is %s is %s, then %s', (outcome, progress, end) => {
    const { send, actor } = run();
    expect(send(started)).toBe('PROGRESS');
    expect(send(result('a', OUTCOMES[outcome]))).toBe(progress);
    expect(actor.getSnapshot().value).toBe('timed');
    expect(send(result('b'))).toBe(end);
    expect(actor.getSnapshot()).toMatchObject({ value: 'over', status: 'done' });
  });

  test('keeps its start by itself, and leaves results to be kept with theirs', () => {
    const { send, asked } = run();
    send(started, result('a'), result('b'));
    expect(asked).toEqual(['write PROGRESS']);
  });

  test('times out when its time is over, and has its run make no further attempt', async () => {
    const { send, asked, clock, session } = run();
    send(started);
    await clock.advance(DEADLINE_MS - 1);
    expect(session().status).toBe('PROGRESS');
    await clock.advance(1);
    expect(session()).toMatchObject({ status: 'TIMED_OUT', stoppedAt: NOW + DEADLINE_MS });
    expect(asked).toEqual(['write PROGRESS', 'cancel run', 'write TIMED_OUT']);
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

  test.each<[string, SessionEvent, string, string[]]>([
    ['is cancelled', { type: 'CANCEL' }, 'CANCELLED', ['cancel run', 'write CANCELLED']],
    ['has no check any more', ended('run', 'deleted'), 'CANCELLED', ['write CANCELLED']],
    ['has its run cancelled', ended('run', 'cancelled'), 'CANCELLED', ['write CANCELLED']],
    ['has a run that ends without results', ended('run', 'settled'), 'FAILED', ['write FAILED']],
  ])('that %s ends, whether it waits or is under way', (_case, event, status, expected) => {
    const waiting = run();
    expect(waiting.send(event)).toBe(status);
    expect(waiting.asked).toEqual(expected);
    const underWay = run();
    expect(underWay.send(started, event)).toBe(status);
    expect(underWay.asked).toEqual(['write PROGRESS', ...expected]);
  });
});

describe('a check session from before a restart', () => {
  const deadlineAt = NOW + DEADLINE_MS;
  const runLocations = ['a', 'b'];

  test.each([
    ['STARTED', null, 'untimed'],
    ['PROGRESS', deadlineAt, 'timed'],
    ['PROGRESS_DEGRADED', deadlineAt, 'timed'],
    ['PROGRESS_FAILED', deadlineAt, 'timed'],
  ] as const)('that was %s is so again', (status, deadline, value) => {
    const { actor, asked, session } = run({ status, deadlineAt: deadline, runLocations });
    expect([session().status, actor.getSnapshot().value]).toEqual([status, value]);
    expect(asked).toEqual([]);
  });

  test('whose run begins again has the deadline that it had', async () => {
    const { send, clock, session } = run({ status: 'PROGRESS', deadlineAt, runLocations });
    await clock.advance(50_000);
    send({ type: 'RUN_STARTED', runId: 'run', run: { ...RUN, startedAt: clock.now() } });
    await clock.advance(DEADLINE_MS - 50_000);
    expect(session().status).toBe('TIMED_OUT');
  });

  test('whose time passed meanwhile has timed out', () => {
    const { session, asked } = run({ status: 'PROGRESS', deadlineAt: NOW, runLocations });
    expect(session()).toMatchObject({ status: 'TIMED_OUT', stoppedAt: NOW });
    expect(asked).toEqual(['cancel run', 'write TIMED_OUT']);
  });
});

const row = (id: string, position: number) => {
  const check = { checkId: CHECK, checkType: 'URL', name: 'URL check', position } as const;
  return pendingResult(id, check, 'eu-west-1', NOW);
};

/** A test session of two checks whose ports only say what they were asked for. */
function runTest() {
  const written: StoredTestSession[] = [];
  /** The session after each change. */
  const seen: StoredTestSession[] = [];
  const cancelled: string[] = [];
  const clock = new SimulatedClock(NOW);
  const logic = createSessionMachine<StoredTestSession>({
    rules: testSessionRules,
    clock,
    write: (session) => void written.push(session),
    cancelRuns: ({ results }) => {
      const pending = results.filter(({ resultType }) => resultType === 'PENDING');
      cancelled.push(...pending.map(({ id }) => id));
    },
  });
  const session: StoredTestSession = {
    id: '018f0000-0000-7000-8000-000000000000',
    name: 'Deployment',
    status: 'RUNNING',
    runLocation: 'eu-west-1',
    createdAt: NOW,
    stoppedAt: null,
    metadata: {},
    results: [row('one', 0), row('two', 1)],
  };
  const actor = createActor(logic, {
    inspect: coverage.inspect,
    clock: actorClock(clock),
    input: { session },
  });
  actor.subscribe(({ context }) => {
    if (context.session !== (seen.at(-1) ?? session)) seen.push(context.session);
  });
  actor.start();
  const send = (...events: SessionEvent[]) => {
    for (const event of events) if (actor.getSnapshot().status === 'active') actor.send(event);
    return actor.getSnapshot().context.session.status;
  };
  return { actor, send, written, seen, cancelled };
}

const outcomeOf = (runId: string, outcome: keyof typeof OUTCOMES): SessionEvent => ({
  type: 'RESULT',
  runId,
  result: makeResult(NOW, OUTCOMES[outcome]),
});

test.each([
  ['two that pass', [outcomeOf('one', 'passed'), outcomeOf('two', 'degraded')], 'PASSED'],
  ['one that fails', [outcomeOf('one', 'failed'), outcomeOf('two', 'passed')], 'FAILED'],
  ['one that told nothing', [ended('one', 'settled'), outcomeOf('two', 'passed')], 'FAILED'],
  ['one that was given up', [ended('one', 'cancelled'), outcomeOf('two', 'passed')], 'CANCELLED'],
  [
    'one given up and one that fails',
    [ended('one', 'cancelled'), outcomeOf('two', 'failed')],
    'FAILED',
  ],
])('a test session of %s', (_, events, status) => {
  const { send, seen } = runTest();
  expect(send(events[0] as SessionEvent)).toBe('RUNNING');
  expect(send(events[1] as SessionEvent)).toBe(status);
  expect(seen.map((session) => session.status)).toEqual(['RUNNING', status]);
});

test('a run that ends after its result changes nothing, and nothing is written', () => {
  const { send, written, seen } = runTest();
  send(
    outcomeOf('one', 'passed'),
    ended('one', 'settled'),
    ended('one', 'cancelled'),
    outcomeOf('one', 'failed'),
  );
  expect([seen.length, written.length]).toEqual([1, 0]);
});

test('a change that no result brings is written by itself', () => {
  const { send, written, seen } = runTest();
  send(ended('one', 'settled'), ended('two', 'cancelled'));
  expect(written).toEqual(seen);
});

test('one that is cancelled gives up what is pending', () => {
  const { send, cancelled, written } = runTest();
  expect(send(outcomeOf('one', 'passed'), { type: 'CANCEL' })).toBe('CANCELLED');
  expect(cancelled).toEqual(['two']);
  expect(written.at(-1)?.results.map(({ status }) => status)).toEqual(['PASSED', 'CANCELLED']);
});

const event = fc.oneof(
  fc
    .tuple(fc.constantFrom('one', 'two', 'unknown'), fc.constantFrom('passed', 'failed'))
    .map(([id, outcome]) => outcomeOf(id, outcome as keyof typeof OUTCOMES)),
  fc
    .tuple(fc.constantFrom('one', 'two'), fc.constantFrom('settled', 'cancelled', 'deleted'))
    .map(([id, how]) => ended(id, how)),
  fc.constant<SessionEvent>({ type: 'CANCEL' }),
);

test('whatever happens, its counts add up and its end is an end', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), (events) => {
      const { send, seen, actor } = runTest();
      send(...events);
      for (const session of seen) {
        const ofChecks = session.results.filter(({ resultType }) => resultType !== 'ATTEMPT');
        expect(ofChecks).toHaveLength(2);
        const pending = ofChecks.filter(({ status }) => status === 'RUNNING').length;
        expect(session.status === 'RUNNING').toBe(pending > 0);
        expect(session.stoppedAt === null).toBe(pending > 0);
      }
      const over = seen.findIndex(({ status }) => status !== 'RUNNING');
      if (over >= 0) expect(seen).toHaveLength(over + 1);
      expect(actor.getSnapshot().context.session.status).toBe(seen.at(-1)?.status ?? 'RUNNING');
    }),
  );
});
