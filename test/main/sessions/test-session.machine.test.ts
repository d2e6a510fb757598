import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { type TestSessionEvent, testSessionMachine } from '#main/sessions/test-session.machine.ts';
import type { StoredTestSession } from '#shared/sessions/test-session.ts';
import { pendingResult } from '#shared/sessions/test-session-rules.ts';
import { makeResult } from '../../fixtures/fake-check-runs.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { CHECK, NOW, OUTCOMES } from './fixtures.ts';

const coverage = new MachineCoverage(testSessionMachine);
afterAll(() => coverage.expectFullCoverage());

const row = (id: string, position: number) => {
  const check = { checkId: CHECK, checkType: 'URL', name: 'URL check', position } as const;
  return pendingResult(id, check, 'eu-west-1', NOW);
};

/** A test session of two checks whose ports only say what they were asked for. */
function run() {
  const kept: StoredTestSession[] = [];
  /** The session after each change. */
  const seen: StoredTestSession[] = [];
  const givenUp: string[] = [];
  const logic = testSessionMachine.provide({
    actions: {
      keep: (_, { session }) => void kept.push(session),
      cancelRuns: (_, { session }) => {
        const pending = session.results.filter(({ resultType }) => resultType === 'PENDING');
        givenUp.push(...pending.map(({ id }) => id));
      },
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
    input: { session, clock: new SimulatedClock(NOW) },
  });
  actor.subscribe(({ context }) => {
    if (context.session !== (seen.at(-1) ?? session)) seen.push(context.session);
  });
  actor.start();
  const send = (...events: TestSessionEvent[]) => {
    for (const event of events) if (actor.getSnapshot().status === 'active') actor.send(event);
    return actor.getSnapshot().value;
  };
  return { actor, send, kept, seen, givenUp };
}

const result = (resultId: string, outcome: keyof typeof OUTCOMES): TestSessionEvent => ({
  type: 'RESULT',
  resultId,
  result: makeResult(NOW, OUTCOMES[outcome]),
});
const ended = (resultId: string): TestSessionEvent => ({ type: 'RUN_ENDED', resultId });
const cancelled = (resultId: string): TestSessionEvent => ({ type: 'RUN_CANCELLED', resultId });

test.each([
  ['two that pass', [result('one', 'passed'), result('two', 'degraded')], 'PASSED'],
  ['one that fails', [result('one', 'failed'), result('two', 'passed')], 'FAILED'],
  ['one that told nothing', [ended('one'), result('two', 'passed')], 'FAILED'],
  ['one that was given up', [cancelled('one'), result('two', 'passed')], 'CANCELLED'],
  ['one given up and one that fails', [cancelled('one'), result('two', 'failed')], 'FAILED'],
])('a test session of %s', (_, events, status) => {
  const { send, seen } = run();
  expect(send(events[0] as TestSessionEvent)).toBe('RUNNING');
  expect(send(events[1] as TestSessionEvent)).toBe(status);
  expect(seen.map((session) => session.status)).toEqual(['RUNNING', status]);
});

test('a run that ends after its result changes nothing, and nothing is kept', () => {
  const { send, kept, seen } = run();
  send(result('one', 'passed'), ended('one'), cancelled('one'), result('one', 'failed'));
  expect([seen.length, kept.length]).toEqual([1, 0]);
});

test('a change that no result brings is kept by itself', () => {
  const { send, kept, seen } = run();
  send(ended('one'), cancelled('two'));
  expect(kept).toEqual(seen);
});

test('one that is cancelled gives up what is pending', () => {
  const { send, givenUp, kept } = run();
  expect(send(result('one', 'passed'), { type: 'CANCEL' })).toBe('CANCELLED');
  expect(givenUp).toEqual(['two']);
  expect(kept.at(-1)?.results.map(({ status }) => status)).toEqual(['PASSED', 'CANCELLED']);
});

const event = fc.oneof(
  fc
    .tuple(fc.constantFrom('one', 'two', 'unknown'), fc.constantFrom('passed', 'failed'))
    .map(([id, outcome]) => result(id, outcome as keyof typeof OUTCOMES)),
  fc.constantFrom('one', 'two').map(ended),
  fc.constantFrom('one', 'two').map(cancelled),
  fc.constant<TestSessionEvent>({ type: 'CANCEL' }),
);

test('whatever happens, its counts add up and its end is an end', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), (events) => {
      const { send, seen, actor } = run();
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
