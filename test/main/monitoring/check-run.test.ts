import { expect, test } from 'vitest';
import type { CheckRunInput } from '#main/monitoring/check-context.ts';
import { CheckRun, type CheckRunParts } from '#main/monitoring/check-run.ts';
import type { SequenceState } from '#main/monitoring/persisted-state.ts';
import type { KeptStatus } from '#shared/results/check-status.ts';
import type { RunRequest, RunResult } from '#shared/runs/protocol.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { FAILING, ONLINE, SimulatedRunner } from '../../fixtures/simulated-monitor.ts';

const SECOND = 1_000;
const ONCE = {
  type: 'FIXED',
  baseBackoffSeconds: 20,
  sameRegion: false,
  maxRetries: 1,
} as const;

/** A wait for a retry that a stop cut short. */
const WAITING: SequenceState = {
  id: 'sequence',
  location: 'eu-west-1',
  attempts: 1,
  firstStartedAt: -15_000,
  dueAt: 5_000,
  settled: false,
};

interface Options {
  sequence?: SequenceState;
  retryStrategy?: typeof ONCE | null;
  status?: KeptStatus;
}

const NOT_WANTED = 'the attempt is not wanted any more';

/** A run whose attempts take a second each and end as the test says, the first few of them as `outcomes`. */
function begin(
  outcomes: Partial<RunResult>[],
  { sequence, retryStrategy = ONCE, status }: Options = {},
) {
  const clock = new SimulatedClock(0);
  const facts: string[] = [];
  const requests: RunRequest[] = [];
  const note = (fact: string) => void facts.push(`${clock.now() / SECOND} s: ${fact}`);
  const runner = new SimulatedRunner(clock);
  runner.durationMs = SECOND;
  runner.outcomes.push(...outcomes);
  runner.outcomeOf = () => ({});
  const recorder: CheckRunParts['recorder'] = {
    result: async (_, { kept: { result } }) => {
      note(`${result.resultType} ${result.attempts}`);
      return true;
    },
    beside: async () => true,
    statusOf: () => status,
  };
  const input: CheckRunInput = {
    check: makeCheck('URL', { locations: ['eu-west-1', 'us-east-1'], retryStrategy }),
    slot: 0,
    ordered: null,
    lastLocation: null,
    interrupted: sequence ? { orderId: null, slot: 0, checkRunId: 0, sequences: [sequence] } : null,
  };
  const run = new CheckRun(
    {
      dispatcher: {
        run: (request) => {
          requests.push(request);
          note(`attempt in ${request.location}`);
          return runner.run(request);
        },
        cancel: () => note(NOT_WANTED),
        runnerOf: () => 'simulated',
      },
      recorder,
      connectivity: ONLINE,
      clock,
      configuration: new MemoryConfiguration(),
      publicIps: { v4: null, v6: null },
      deniedRanges: [],
    },
    input,
  );
  run.carryOut().then(
    () => note('over'),
    (error: Error) => note(error.message),
  );
  return { run, clock, facts, requests, recorder };
}

test('a first attempt that passes is the only one', async () => {
  const { clock, facts } = begin([]);
  await clock.advance(60 * SECOND);
  expect(facts).toEqual(['0 s: attempt in eu-west-1', '1 s: FINAL 0', '1 s: over']);
});

test('a first attempt that fails is tried again after the wait, where the next turn is', async () => {
  const { clock, facts } = begin([FAILING, FAILING]);
  await clock.advance(60 * SECOND);
  expect(facts).toEqual([
    '0 s: attempt in eu-west-1',
    '1 s: ATTEMPT 0',
    '21 s: attempt in us-east-1',
    '22 s: FINAL 1',
    '22 s: over',
  ]);
});

test('an attempt is told that the one before it failed, or the check’s last run', async () => {
  const first = begin([FAILING]);
  await first.clock.advance(60 * SECOND);
  expect(first.requests.map(({ wasFailing }) => wasFailing)).toEqual([undefined, true]);
  const later = begin([], { status: { hasFailures: true } as KeptStatus });
  await later.clock.advance(60 * SECOND);
  expect(later.requests.map(({ wasFailing }) => wasFailing)).toEqual([true]);
});

test('without a strategy nothing is tried again', async () => {
  const { clock, facts } = begin([FAILING], { retryStrategy: null });
  await clock.advance(60 * SECOND);
  expect(facts).toEqual(['0 s: attempt in eu-west-1', '1 s: FINAL 0', '1 s: over']);
});

test('after a restart a wait goes on where it was, without a first attempt', async () => {
  const { clock, facts } = begin([], { sequence: WAITING });
  await clock.advance(60 * SECOND);
  expect(facts).toEqual(['5 s: attempt in eu-west-1', '6 s: FINAL 1', '6 s: over']);
});

test('cancelled in the first attempt, that attempt is the last', async () => {
  const { run, clock, facts } = begin([FAILING]);
  run.cancel();
  await clock.advance(60 * SECOND);
  expect(facts).toEqual([
    '0 s: attempt in eu-west-1',
    `0 s: ${NOT_WANTED}`,
    '1 s: FINAL 0',
    '1 s: over',
  ]);
});

test('deleted in the first attempt, that attempt is not wanted and not written', async () => {
  const { run, clock, facts } = begin([FAILING]);
  run.abandon('deleted');
  await clock.advance(60 * SECOND);
  expect(facts).toEqual(['0 s: attempt in eu-west-1', `0 s: ${NOT_WANTED}`, '0 s: over']);
});

test('cancelled in a wait, it ends there and then', async () => {
  const { run, clock, facts } = begin([FAILING]);
  await clock.advance(5 * SECOND);
  run.cancel();
  await clock.advance(60 * SECOND);
  expect(facts.slice(1)).toEqual(['1 s: ATTEMPT 0', '5 s: over']);
});

test('drained in the first attempt, its result is written and no wait begins', async () => {
  const { run, clock, facts } = begin([FAILING]);
  void run.drain();
  await clock.advance(60 * SECOND);
  expect(facts).toEqual(['0 s: attempt in eu-west-1', '1 s: ATTEMPT 0', '1 s: over']);
});

test('drained in a wait, it leaves the wait to the next start', async () => {
  const { run, clock, facts } = begin([FAILING]);
  await clock.advance(5 * SECOND);
  void run.drain();
  await clock.advance(60 * SECOND);
  expect(facts.slice(1)).toEqual(['1 s: ATTEMPT 0', '5 s: over']);
});

test('drained in a retry, its result is written', async () => {
  const { run, clock, facts } = begin([FAILING]);
  await clock.advance(21.5 * SECOND);
  void run.drain();
  await clock.advance(60 * SECOND);
  expect(facts.slice(2)).toEqual(['21 s: attempt in us-east-1', '22 s: FINAL 1', '22 s: over']);
});

test.each([0.5, 5, 21.5])('abandoned after %s s, nothing more is written', async (seconds) => {
  const { run, clock, facts } = begin([FAILING]);
  await clock.advance(seconds * SECOND);
  const before = facts.length;
  run.abandon('cancelled');
  await clock.advance(60 * SECOND);
  const later = facts.slice(before).filter((fact) => !fact.endsWith(NOT_WANTED));
  expect(later).toEqual([`${seconds} s: over`]);
});

test('a fault of our own ends it, in the first attempt as in a retry', async () => {
  for (const outcomes of [[], [FAILING]]) {
    const { clock, facts, recorder } = begin(outcomes);
    recorder.result = (_, { kept: { result } }) => {
      if (result.resultType === 'FINAL') throw new Error('A fault of our own.');
      return Promise.resolve(true);
    };
    await clock.advance(60 * SECOND);
    expect(facts.at(-1)).toMatch(/A fault of our own/);
  }
});

test('cancelled by whoever follows it, at the moment its first attempt fails, it is not tried again', async () => {
  const { run, clock, facts, recorder } = begin([FAILING]);
  recorder.result = async () => {
    run.cancel();
    return true;
  };
  await clock.advance(60 * SECOND);
  expect(facts).toEqual(['0 s: attempt in eu-west-1', '1 s: over']);
});
