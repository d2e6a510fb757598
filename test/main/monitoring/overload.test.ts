import { expect, test } from 'vitest';
import type { HistoryRecords, WriteLoad } from '#main/store/history/history.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { order, RecordingFollower } from '../../fixtures/recording-follower.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const SECOND = 1_000;
const PERIOD = 10 * SECOND;
const TURN = 100;
/** 20 runs a second: 40 records with their states, and up to 60 with slots that were skipped before them. */
const COUNT = 200;
const ROOM = 500;

/** A store that writes so many records a second, and refuses what it has no room for. */
class SlowHistory extends MemoryHistory {
  perSecond = Number.POSITIVE_INFINITY;
  most = 0;
  refused = 0;
  readonly #queue: { size: number; write(): void }[] = [];
  #waiting = 0;
  #credit = 0;

  constructor(clock: SimulatedClock) {
    super();
    const turn = () => {
      this.#credit = Math.min(this.#credit, 0) + (this.perSecond * TURN) / SECOND;
      while (this.#credit > 0 && this.#queue.length > 0) {
        const next = this.#queue.shift();
        this.#credit -= next?.size ?? 0;
        this.#waiting -= next?.size ?? 0;
        next?.write();
      }
      clock.setTimeout(turn, TURN);
    };
    turn();
  }

  override readonly writeLoad = ((of: () => number): WriteLoad => ({
    get waiting() {
      return of();
    },
    filled: (toCome) => (toCome < ROOM ? of() / (ROOM - toCome) : Number.POSITIVE_INFINITY),
    listen: () => {},
  }))(() => this.#waiting);

  override async write(records: HistoryRecords): Promise<void> {
    const size = Object.values(records).reduce((sum, list) => sum + (list?.length ?? 0), 0);
    if (this.#waiting + size > ROOM) this.refused++;
    this.#waiting += size;
    this.most = Math.max(this.most, this.#waiting);
    await new Promise<void>((resolve) => this.#queue.push({ size, write: resolve }));
    await super.write(records);
  }
}

async function many() {
  const clock = new SimulatedClock();
  const history = new SlowHistory(clock);
  const { log, lines } = recordedLog();
  // The same slots each time.
  const checks = Array.from({ length: COUNT }, (_, n) => {
    const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    return makeCheck('URL', { id, frequency: 0, frequencyOffset: 10, retryStrategy: null });
  });
  const monitor = await simulatedMonitor(checks, { clock, history, log });
  // First runs are made, and all are in their rounds.
  await clock.advance(2 * PERIOD);
  const { runner, root } = monitor;
  const skipped = () => root.runCounts().skipped.overload;
  return { ...monitor, checks, history, runner, lines, skipped };
}

/** The longest that any check had no run since a time. */
function longestGaps(
  requests: readonly { at: number; request: { check: { id: string } } }[],
  since: number,
) {
  const runs = Map.groupBy(
    requests.filter(({ at }) => at >= since),
    ({ request }) => request.check.id,
  );
  const gaps = [...runs.values()].map((of) =>
    Math.max(...of.map(({ at }, n) => at - (of[n - 1]?.at ?? since))),
  );
  return { checks: runs.size, longest: Math.max(...gaps) };
}

test.each([
  [36, 4],
  [12, 16],
])(
  'where the history can write %i records a second, so many are made, each check runs within %i rounds, and no run is lost',
  async (perSecond, rounds) => {
    const { clock, history, runner, skipped, root, lines } = await many();
    expect(skipped()).toBe(0);
    history.perSecond = perSecond;
    await clock.advance(12 * PERIOD);
    expect(root.isOverloaded).toBe(true);
    const since = clock.now();
    const before = history.results.length;
    await clock.advance(24 * PERIOD);
    const stored = (history.results.length - before) / (24 * 10);
    expect(stored).toBeGreaterThan(perSecond / 3 - 1);
    expect(stored).toBeLessThan(perSecond / 2);
    const { checks, longest } = longestGaps(runner.requests, since);
    expect(checks).toBe(COUNT);
    expect(longest).toBeLessThanOrEqual(rounds * PERIOD);
    expect(history.refused).toBe(0);
    expect(history.most).toBeLessThanOrEqual(ROOM / 2);
    // Once a minute.
    const logged = lines.filter(({ level, skipped }) => level === 'warn' && skipped !== undefined);
    expect([5, 6]).toContain(logged.length);

    history.perSecond = Number.POSITIVE_INFINITY;
    await clock.advance(PERIOD);
    expect(root.isOverloaded).toBe(false);
    const { length } = runner.requests;
    const after = skipped();
    await clock.advance(2 * PERIOD);
    expect(runner.requests).toHaveLength(length + 2 * COUNT);
    expect(skipped()).toBe(after);
    // All that ran is kept, and all that did not is counted, in memory as in the history.
    expect(history.results).toHaveLength(runner.requests.length);
    expect(history.skips.reduce((sum, { count }) => sum + count, 0)).toBe(after);
    expect(new Set(history.skips.map(({ reason }) => reason))).toEqual(new Set(['overload']));
  },
);

test('no more slots run at a time than there is room for their results', async () => {
  const { clock, history, runner, skipped } = await many();
  history.perSecond = 0;
  runner.durationMs = 20 * SECOND;
  await clock.advance(PERIOD);
  // Of 200 checks that are due; the history is told of none of them yet.
  expect([runner.underWay, history.writeLoad.waiting]).toEqual([ROOM / 4, 0]);
  expect(skipped()).toBe(COUNT - ROOM / 4);
  await clock.advance(2 * PERIOD);
  expect([history.refused, history.most <= ROOM]).toEqual([0, true]);
});

test('while the history writes nothing slots are skipped as one gap, what is ordered runs, and nothing is lost', async () => {
  const { checks, clock, history, runner, root, skipped } = await many();
  history.perSecond = 0;
  await clock.advance(10 * PERIOD);
  const { length } = runner.requests;
  await clock.advance(10 * PERIOD);
  expect(runner.requests).toHaveLength(length);
  const [{ id } = { id: '' }] = checks;
  const follower = new RecordingFollower();
  root.order(id, order('by hand'), follower);
  await clock.advance(SECOND);
  expect(runner.requests).toHaveLength(length + 1);
  history.perSecond = Number.POSITIVE_INFINITY;
  await clock.advance(2 * PERIOD);
  expect(history.refused).toBe(0);
  expect(history.results).toHaveLength(runner.requests.length);
  const gaps = history.skips.filter(({ checkId }) => checkId !== id);
  // Before it wrote nothing for long, some were skipped once and ran again.
  expect(gaps.length).toBeLessThan(1.1 * COUNT);
  for (const { fromSlot, toSlot, count } of gaps)
    expect(toSlot - fromSlot).toBe((count - 1) * PERIOD);
  expect(history.skips.reduce((sum, { count }) => sum + count, 0)).toBe(skipped());
});
