import { expect, test } from 'vitest';
import { coalescingClock } from '#main/platform/coalescing-clock.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

function start() {
  const simulated = new SimulatedClock();
  const wakes: number[] = [];
  const counting = {
    now: () => simulated.now(),
    setTimeout: (callback: () => void, delayMs: number) =>
      simulated.setTimeout(() => {
        wakes.push(simulated.passedMs);
        callback();
      }, delayMs),
    clearTimeout: (handle: unknown) => simulated.clearTimeout(handle),
  };
  const fired: [name: string, at: number][] = [];
  const clock = coalescingClock({
    clock: counting,
    passedMs: () => simulated.passedMs,
    stepMs: 20,
    most: 4,
    shortStepMs: 5,
  });
  const after = (name: string, delayMs: number) =>
    clock.setTimeout(() => fired.push([name, simulated.passedMs]), delayMs);
  return { simulated, clock, wakes, fired, after };
}

test('what is due within one step fires together at its end, in the order in which it was asked for', async () => {
  const { simulated, wakes, fired, after } = start();
  after('second step', 21);
  after('late', 19);
  after('early', 1);
  after('at its end', 20);
  await simulated.advance(100);
  expect(fired).toEqual([
    ['late', 20],
    ['early', 20],
    ['at its end', 20],
    ['second step', 40],
  ]);
  expect(wakes).toEqual([20, 40]);
});

test('a step takes only so many: the others fire at shorter ones, which are no longer than needed', async () => {
  const { simulated, wakes, fired, after } = start();
  for (let n = 1; n <= 10; n++) after(`${n}`, n);
  await simulated.advance(100);
  expect(fired.map(([, at]) => at)).toEqual([5, 10, 10, 10, 10, 10, 20, 20, 20, 20]);
  expect(fired.slice(-4).map(([name]) => name)).toEqual(['1', '2', '3', '4']);
  expect(wakes).toEqual([5, 10, 20]);
});

test('what is over already fires at once where a step ends now, else at its end', async () => {
  const { simulated, fired, after } = start();
  after('now', -5);
  await simulated.advance(3);
  after('over', -5);
  await simulated.advance(100);
  expect(fired).toEqual([
    ['now', 0],
    ['over', 20],
  ]);
});

test('what is cleared does not fire, also where another of its step clears it, and nothing waits for it', async () => {
  const { simulated, clock, wakes, fired, after } = start();
  const victim = () => cleared;
  clock.setTimeout(() => clock.clearTimeout(victim()), 30);
  const cleared = after('cleared on the way', 31);
  after('kept', 31);
  const alone = after('alone', 50);
  clock.clearTimeout(alone);
  clock.clearTimeout(alone);
  clock.clearTimeout(undefined);
  await simulated.advance(100);
  expect(fired).toEqual([['kept', 40]]);
  expect(wakes).toEqual([40]);
});

test('a callback may ask again, and clear itself', async () => {
  const { simulated, clock, fired, after } = start();
  const own = clock.setTimeout(() => {
    clock.clearTimeout(own);
    after('again', 0);
  }, 20);
  await simulated.advance(20);
  expect(fired).toEqual([['again', 20]]);
});

test('a wall clock that is set, back or forth, moves no timer', async () => {
  for (const hours of [-1, 1]) {
    const { simulated, fired, after } = start();
    after('before', 10 * 60_000);
    simulated.jump(hours * 3_600_000);
    after('after', 70 * 60_000);
    await simulated.advance(2 * 3_600_000);
    expect(fired).toEqual([
      ['before', 10 * 60_000],
      ['after', 70 * 60_000],
    ]);
  }
});
