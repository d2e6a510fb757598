import { expect, test } from 'vitest';
import { WarmBrowsers } from '#workers/browser/warm/warm-browsers.ts';
import { cagesOf } from '../../../fixtures/cages.ts';
import { SimulatedClock } from '../../../fixtures/simulated-clock.ts';

/** Answers like a Chromium with nothing open. */
const EMPTY = `const { readSync, writeSync } = require('node:fs');
for (const bytes = Buffer.alloc(1000); ; ) {
  readSync(3, bytes);
  writeSync(4, '{"id":2000000001,"result":{"targetInfos":[]}}\\0{"id":2000000002,"result":{"browserContextIds":[]}}\\0');
}`;

const LIMITS = { atMost: 4, runs: 50, ageMs: 900_000, idleMs: 300_000 };
const WANTED = {
  ...{ checkId: 'shop', key: 'as it is', periodMs: 60_000, variables: {}, readable: [] },
  ...{ path: process.execPath, args: ['-e', EMPTY, '--'], memoryMb: 500 },
};

function start() {
  const clock = new SimulatedClock();
  const cages = cagesOf();
  const browsers = new WarmBrowsers(cages, LIMITS, clock);
  const run = async () => {
    const lent = await browsers.lend(WANTED);
    if (lent === null) throw new Error('None was lent');
    await lent.giveBack(true);
    return lent;
  };
  return { clock, cages, browsers, run };
}

test('a browser that no run used for long enough ends', async () => {
  const { clock, run } = start();
  const { browser } = await run();
  await clock.advance(LIMITS.idleMs - 1);
  expect((await run()).browser).toBe(browser);
  await clock.advance(LIMITS.idleMs);
  expect(await browser.caged.ended).toMatchObject({ why: 'killed' });
});

test('a browser that has run for long enough serves no further run', async () => {
  const { clock, run } = start();
  const { browser } = await run();
  for (let ms = 0; ms < LIMITS.ageMs; ms += WANTED.periodMs) {
    expect((await run()).browser).toBe(browser);
    await clock.advance(WANTED.periodMs);
  }
  expect((await run()).browser).not.toBe(browser);
  await browser.caged.ended;
});

test('memory that is short is taken from browsers that no run uses', async () => {
  const { cages, browsers, run } = start();
  const { browser } = await run();
  const used = await browsers.lend({ ...WANTED, checkId: 'other' });
  cages.onShortMemory();
  await browser.caged.ended;
  cages.onShortMemory();
  await used?.giveBack(true);
  expect((await browsers.lend({ ...WANTED, checkId: 'other' }))?.browser).toBe(used?.browser);
});

test('two runs of a check at once do not share one', async () => {
  const { browsers } = start();
  const [first, second] = await Promise.all([browsers.lend(WANTED), browsers.lend(WANTED)]);
  expect(first).not.toBeNull();
  expect(second).toBeNull();
});

test('one that ended meanwhile is followed by a new one', async () => {
  const { browsers, run } = start();
  const { browser } = await run();
  browser.caged.kill();
  await browser.caged.ended;
  expect((await browsers.lend(WANTED))?.browser).not.toBe(browser);
});
