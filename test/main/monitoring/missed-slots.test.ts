import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { HistoryRecords } from '#main/store/history/history.ts';
import { scheduleOf, slotsBetween } from '#shared/checks/schedule.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { order, RecordingFollower } from '../../fixtures/recording-follower.ts';
import { simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const HOUR = 3_600_000;
const COUNT = 1_200;

/** Holds up what is written of many checks together, where it is told to. */
class HeldHistory extends MemoryHistory {
  /** Of each such write, how many checks. */
  readonly together: number[] = [];
  isHolding = false;
  #held = Promise.withResolvers<void>();

  override async write(records: HistoryRecords): Promise<void> {
    const { length = 0 } = records.states ?? [];
    if (length > 1) {
      this.together.push(length);
      if (this.isHolding) await this.#held.promise;
    }
    await super.write(records);
  }

  release(): void {
    this.isHolding = false;
    this.#held.resolve();
  }
}

/** Hourly checks that ran, and whose appliance is then stopped for three hours. */
async function stoppedForHours() {
  const checks = Array.from({ length: COUNT }, () =>
    makeCheck('URL', { frequency: 60, retryStrategy: null }),
  );
  const history = new HeldHistory();
  const first = await simulatedMonitor(checks, { history });
  await first.clock.advance(10_000);
  const stoppedAt = first.clock.now();
  first.clock.jump(3 * HOUR);
  const { clock, configuration } = first;
  const startAgain = () => simulatedMonitor([], { clock, configuration, history });
  // No time passes, in which slots would come.
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) {
      await clock.advance(0);
      await nextTurn();
    }
  };
  /** Of each check, the slots that were missed up to now. */
  const missed = () =>
    new Map(
      checks.map((check) => [
        check.id,
        slotsBetween(scheduleOf(check), stoppedAt, clock.now() + 1),
      ]),
    );
  return { checks, history, startAgain, settle, missed };
}

/** Of each check, the slots that are counted as missed, by its last count of each gap. */
function counted({ skips }: MemoryHistory): Map<string, number> {
  return new Map(skips.map(({ checkId, count }) => [checkId, count]));
}

test('what many checks missed is written some hundred together', async () => {
  const { history, startAgain, settle, missed } = await stoppedForHours();
  const expected = missed();
  await startAgain();
  await settle();
  expect(counted(history)).toEqual(expected);
  expect(history.together).toEqual([500, 500, 200]);
});

test('a result that comes before takes along what its check missed, and nothing is counted twice', async () => {
  const { checks, history, startAgain, settle, missed } = await stoppedForHours();
  const expected = missed();
  history.isHolding = true;
  const { root } = await startAgain();
  const { id } = checks.at(-1) ?? { id: '' };
  root.order(id, order(id), new RecordingFollower());
  await settle();
  expect(counted(history)).toEqual(new Map([[id, expected.get(id)]]));
  history.release();
  await settle();
  await settle();
  expect(history.skips).toHaveLength(COUNT);
  expect(counted(history)).toEqual(expected);
});

test('what a stop leaves unwritten is counted by the next start', async () => {
  const { history, startAgain, settle, missed } = await stoppedForHours();
  history.isHolding = true;
  const { root } = await startAgain();
  await Promise.all([root.stop(), settle()]);
  history.release();
  await settle();
  expect(counted(history).size).toBe(500);
  const expected = missed();
  await startAgain();
  await settle();
  expect(counted(history)).toEqual(expected);
});
