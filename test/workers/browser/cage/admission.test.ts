import { expect, test } from 'vitest';
import { Admission, type Admitted, type NotAdmitted } from '#workers/browser/cage/admission.ts';
import { SimulatedClock } from '../../../fixtures/simulated-clock.ts';

const GIBIBYTE = 1024 ** 3;

function setUp({ atOnce = 2, free = 8 * GIBIBYTE } = {}) {
  const clock = new SimulatedClock();
  const memory = { free };
  const admission = new Admission({ atOnce, clock, freeMemory: () => memory.free });
  const outcomes: (Admitted | NotAdmitted)[] = [];
  const ask = () => void admission.admit().then((outcome) => outcomes.push(outcome));
  const release = (at: number) => (outcomes[at] as Admitted).release();
  return { clock, memory, admission, outcomes, ask, release };
}

test('so many begin at once, the others in their order as those end', async () => {
  const { clock, outcomes, ask, release } = setUp();
  for (let n = 0; n < 4; n++) ask();
  await clock.advance(1_000);
  expect(outcomes).toHaveLength(2);
  release(0);
  await clock.advance(0);
  expect(outcomes).toHaveLength(3);
  release(1);
  release(1);
  await clock.advance(500);
  expect(outcomes.map(({ waitedMs }) => waitedMs)).toEqual([0, 0, 1_000, 1_000]);
});

test('one begins only while there is memory for it and for those that have just begun', async () => {
  const { clock, memory, outcomes, ask } = setUp({ atOnce: 10, free: GIBIBYTE });
  for (let n = 0; n < 4; n++) ask();
  await clock.advance(1_000);
  expect(outcomes).toHaveLength(2);
  // What those two took shows by now.
  memory.free = 0.3 * GIBIBYTE;
  await clock.advance(10_000);
  expect(outcomes).toHaveLength(2);
  memory.free = 0.5 * GIBIBYTE;
  await clock.advance(1_000);
  expect(outcomes).toHaveLength(3);
});

test('who waits too long is told what for, and makes room for the next', async () => {
  const { clock, outcomes, ask, release } = setUp({ atOnce: 1 });
  ask();
  ask();
  await clock.advance(60_000);
  ask();
  await clock.advance(49_000);
  expect(outcomes).toHaveLength(1);
  await clock.advance(1_000);
  expect(outcomes[1]).toEqual({
    why: 'full',
    waitedMs: 110_000,
    message:
      'The run did not begin within 110 s: 1 others were under way, as many as the setting browsersAtOnce (WATCHPOST_BROWSERS) allows.',
  });
  release(0);
  await clock.advance(0);
  expect(outcomes[2]).toMatchObject({ waitedMs: 50_000 });
});

test('who waits for memory is told how much there is', async () => {
  const { clock, outcomes, ask } = setUp({ free: GIBIBYTE / 4 });
  ask();
  await clock.advance(110_000);
  expect(outcomes).toMatchObject([
    {
      why: 'full',
      message:
        'The run did not begin within 110 s: 256 MB of memory were free, and it needs 400 MB; a lower WATCHPOST_BROWSERS leaves more to each.',
    },
  ]);
});

test('after a stop nobody begins, and who waits is told', async () => {
  const { clock, admission, outcomes, ask } = setUp({ atOnce: 1 });
  ask();
  ask();
  await clock.advance(1_000);
  admission.stop();
  ask();
  await clock.advance(0);
  const stopped = { why: 'stopped', message: 'The appliance stopped.' };
  expect(outcomes.slice(1)).toEqual([
    { ...stopped, waitedMs: 1_000 },
    { ...stopped, waitedMs: 0 },
  ]);
});
