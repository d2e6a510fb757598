import { analytics } from './analytics.ts';
import { besideBlackbox } from './beside-blackbox.ts';
import { browser } from './browser.ts';
import { configuration } from './configuration.ts';
import { footprint } from './footprint.ts';
import { interfaceBench, interfaceMemory } from './interface.ts';
import { large } from './large.ts';
import { lighthouse } from './lighthouse.ts';
import { type Measured, startBench } from './measure.ts';
import { scripts } from './scripts.ts';
import { statusPage } from './status-page.ts';

/**
 * `npm run bench -- NAME [checks] [seconds]`, where scripts counts runs, analytics results and
 * configuration edits in place of seconds: each prints one
 * JSON object.
 */
const BENCHES = {
  analytics,
  'beside-blackbox': besideBlackbox,
  browser,
  configuration,
  footprint,
  interface: interfaceBench,
  'interface-memory': interfaceMemory,
  large,
  lighthouse,
  schedule,
  scripts,
  'status-page': statusPage,
  throughput,
} as const;

/** URL checks at 10 s: how late they start, and what they cost. */
async function schedule(checks = 1_000, seconds = 60): Promise<object> {
  await using bench = await startBench('url');
  await bench.growTo(checks);
  return { bench: 'schedule', ...(await bench.measure(seconds)) };
}

/** How much later than its slot a start may be before a rate counts as too much. */
const LATENESS_LIMIT_MS = 100;
const STEP = 1.25;
const MAX_STEPS = 4;

/**
 * The most stored API runs a second at a p99 lateness under 100 ms: starts with `checks` checks
 * every 10 s and adds a quarter until it is too much.
 */
async function throughput(checks = 10_500, seconds = 30): Promise<object> {
  await using bench = await startBench('api');
  const steps: Measured[] = [];
  for (let count = checks; steps.length < MAX_STEPS; count = Math.round(count * STEP)) {
    await bench.growTo(count);
    const step = await bench.measure(seconds);
    steps.push(step);
    if (!keepsUp(step)) break;
  }
  return { bench: 'throughput', best: steps.findLast(keepsUp) ?? null, steps };
}

function keepsUp({ checks, storedRunsPerSecond, latenessMs, failedRuns }: Measured): boolean {
  return (
    latenessMs.p99 < LATENESS_LIMIT_MS &&
    Object.keys(failedRuns).length === 0 &&
    storedRunsPerSecond > (checks / 10) * 0.98
  );
}

const [name = '', ...numbers] = process.argv.slice(2);
const bench = (BENCHES as Record<string, (typeof BENCHES)[keyof typeof BENCHES] | undefined>)[name];
const [checks, seconds] = numbers.map(Number);
const wrong = numbers.some((text) => !/^[1-9]\d*$/.test(text));
if (!bench || wrong || numbers.length > 2) {
  console.error(`usage: npm run bench -- ${Object.keys(BENCHES).join('|')} [checks] [seconds]`);
  process.exit(1);
}
console.log(JSON.stringify(await bench(checks, seconds), null, 2));
