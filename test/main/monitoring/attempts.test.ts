import { expect, test } from 'vitest';
import { Attempts } from '#main/monitoring/attempts.ts';
import type { SequenceState } from '#main/monitoring/persisted-state.ts';
import type { RunResult } from '#shared/runs/protocol.ts';
import type { RetryStrategy } from '#shared/runs/retry.ts';
import { passingRun } from '../../fixtures/passing-run.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { FAILING } from '../../fixtures/simulated-monitor.ts';

const SECOND = 1_000;
const ONCE: RetryStrategy = {
  type: 'FIXED',
  baseBackoffSeconds: 20,
  sameRegion: false,
  maxRetries: 1,
};

const NEW: SequenceState = {
  id: 'sequence',
  location: 'paris',
  attempts: 0,
  firstStartedAt: null,
  dueAt: null,
  settled: false,
};

/** Attempts that take a second each and end as the test says, the first few of them as `outcomes`. */
function begin(
  outcomes: Partial<RunResult>[],
  { sequence = NEW, strategy = ONCE as typeof ONCE | null } = {},
) {
  const clock = new SimulatedClock(0);
  const facts: string[] = [];
  const note = (fact: string) => void facts.push(`${clock.now() / SECOND} s: ${fact}`);
  const port = {
    attempt: async ({ location }: SequenceState) => {
      note(`attempt in ${location}`);
      const startedAt = clock.now();
      await new Promise<void>((resolve) => clock.setTimeout(resolve, SECOND));
      const outcome = outcomes.shift();
      return passingRun({ runId: 'run', startedAt, stoppedAt: clock.now(), ...outcome });
    },
    keep: ({ resultType, attempts }: { resultType: string; attempts: number }) =>
      note(`${resultType} ${attempts}`),
    nextLocation: () => 'tokyo',
  };
  const attempts = new Attempts(sequence, { strategy, clock, port });
  attempts.over.then(
    () => note('over'),
    (error: Error) => note(error.message),
  );
  attempts.begin();
  return { attempts, clock, facts, port };
}

test('a first attempt that passes is the only one', async () => {
  const { clock, facts } = begin([]);
  await clock.advance(60 * SECOND);
  expect(facts).toEqual(['0 s: attempt in paris', '1 s: FINAL 0', '1 s: over']);
});

test('a first attempt that fails is tried again after the wait, where the next turn is', async () => {
  const { clock, facts } = begin([FAILING, FAILING]);
  await clock.advance(60 * SECOND);
  expect(facts).toEqual([
    '0 s: attempt in paris',
    '1 s: ATTEMPT 0',
    '21 s: attempt in tokyo',
    '22 s: FINAL 1',
    '22 s: over',
  ]);
});

test('without a strategy nothing is tried again', async () => {
  const { clock, facts } = begin([FAILING], { strategy: null });
  await clock.advance(60 * SECOND);
  expect(facts).toEqual(['0 s: attempt in paris', '1 s: FINAL 0', '1 s: over']);
});

test('after a restart a wait goes on where it was, without a first attempt', async () => {
  const sequence = { ...NEW, attempts: 1, firstStartedAt: -15_000, dueAt: 5_000 };
  const { clock, facts } = begin([], { sequence });
  await clock.advance(60 * SECOND);
  expect(facts).toEqual(['5 s: attempt in paris', '6 s: FINAL 1', '6 s: over']);
});

test('cancelled in the first attempt, that attempt is the last', async () => {
  const { attempts, clock, facts } = begin([FAILING]);
  attempts.cancel();
  await clock.advance(60 * SECOND);
  expect(facts).toEqual(['0 s: attempt in paris', '1 s: FINAL 0', '1 s: over']);
});

test('cancelled in a wait, it ends there and then', async () => {
  const { attempts, clock, facts } = begin([FAILING]);
  await clock.advance(5 * SECOND);
  attempts.cancel();
  await clock.advance(60 * SECOND);
  expect(facts.slice(1)).toEqual(['1 s: ATTEMPT 0', '5 s: over']);
});

test('drained in the first attempt, its result is kept and no wait begins', async () => {
  const { attempts, clock, facts } = begin([FAILING]);
  attempts.drain();
  await clock.advance(60 * SECOND);
  expect(facts).toEqual(['0 s: attempt in paris', '1 s: ATTEMPT 0', '1 s: over']);
});

test('drained in a wait, it leaves the wait to the next start', async () => {
  const { attempts, clock, facts } = begin([FAILING]);
  await clock.advance(5 * SECOND);
  attempts.drain();
  await clock.advance(60 * SECOND);
  expect(facts.slice(1)).toEqual(['1 s: ATTEMPT 0', '5 s: over']);
});

test('drained in a retry, its result is kept', async () => {
  const { attempts, clock, facts } = begin([FAILING]);
  await clock.advance(21.5 * SECOND);
  attempts.drain();
  await clock.advance(60 * SECOND);
  expect(facts.slice(2)).toEqual(['21 s: attempt in tokyo', '22 s: FINAL 1', '22 s: over']);
});

test.each([0.5, 5, 21.5])('stopped after %s s, nothing more is kept', async (seconds) => {
  const { attempts, clock, facts } = begin([FAILING]);
  await clock.advance(seconds * SECOND);
  const before = facts.length;
  attempts.stop();
  await clock.advance(60 * SECOND);
  expect(facts.slice(before)).toEqual([`${seconds} s: over`]);
});

test('a fault of our own ends it, in the first attempt as in a retry', async () => {
  for (const outcomes of [[], [FAILING]]) {
    const { clock, facts, port } = begin(outcomes);
    port.keep = ({ resultType }) => {
      if (resultType === 'FINAL') throw new Error('A fault of our own.');
    };
    await clock.advance(60 * SECOND);
    expect(facts.at(-1)).toMatch(/A fault of our own/);
  }
});
