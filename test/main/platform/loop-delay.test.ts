import { afterEach, expect, test, vi } from 'vitest';
import { LoopDelay } from '#main/platform/loop-delay.ts';

const STANDSTILL_MS = 150;

let open: LoopDelay[] = [];
afterEach(() => {
  for (const delay of open) delay.stop();
  open = [];
});

function watch(): LoopDelay {
  const delay = new LoopDelay();
  open.push(delay);
  return delay;
}

function standStill(): void {
  const end = performance.now() + STANDSTILL_MS;
  while (performance.now() < end);
}

/** The fewest samples that a standstill leaves: one after what was due in it, and one after that. */
const sampled = (delay: LoopDelay, samples = 2) => vi.waitUntil(() => delay.samples >= samples);

test('a standstill is seen by everybody who watches, until each resets it', async () => {
  const [one, other] = [watch(), watch()];
  standStill();
  await sampled(one);
  // Up to one interval of it may have passed before the look that was due.
  expect(one.max).toBeGreaterThan(0.09);
  expect(one.percentile(100)).toBeGreaterThan(0.09);
  expect(one.min).toBeLessThan(one.max);
  expect(one.mean).toBeLessThan(one.max);
  expect(one.stddev).toBeGreaterThan(0);
  one.reset();
  expect(one.max).toBe(0);
  expect(other.max).toBeGreaterThan(0.09);
});

test('who stops hears no more, and others go on', async () => {
  const [gone, other] = [watch(), watch()];
  gone.stop();
  standStill();
  await sampled(other);
  expect(gone.samples).toBe(0);
  expect(other.max).toBeGreaterThan(0.09);
});

test('a watch that begins after all others stopped sees nothing of before', async () => {
  watch().stop();
  standStill();
  const delay = watch();
  expect(delay.max).toBe(0);
  await sampled(delay, 1);
});
