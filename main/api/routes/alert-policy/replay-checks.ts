import type { Yielding } from '#main/platform/yielding.ts';
import type { AlertPolicy } from '#shared/alerting/alert.ts';
import { PolicyReplay, type ReplaySummary } from '#shared/alerting/replay.ts';
import type { TimeRange } from '#shared/api/time-range.ts';
import type { Check } from '#shared/checks/check.ts';
import type { OutcomeReader } from './outcomes.ts';

/** Reminders of so long a time without a run are worked out at once. */
const PAUSE_MS = 6 * 3_600_000;

interface ReplayedCheck {
  check: Check;
  /** Each is run over the same results. */
  policies: readonly AlertPolicy[];
  silencedAt(at: number): boolean;
}

/**
 * Runs policies over the results of a check; answers a summary for each, in their order.
 *
 * @throws ApiError 408 where the client hung up
 */
export async function replayCheck(
  { check, policies, silencedAt }: ReplayedCheck,
  window: TimeRange,
  { reader, pace }: { reader: OutcomeReader; pace: Yielding },
): Promise<ReplaySummary[]> {
  const replays = policies.map((policy) => new PolicyReplay(policy, silencedAt));
  let at = window.from;
  for await (const outcomes of reader.outcomesOf(check, window)) {
    for (const outcome of outcomes) {
      await passTo(outcome.at, at, { replays, pace });
      for (const replay of replays) replay.add(outcome);
      at = outcome.at;
      if (pace.isDue) await pace.rest();
    }
    // To take a slice over from the reader took a while as well.
    await pace.rest();
  }
  await passTo(window.to, at, { replays, pace });
  return replays.map((replay) => replay.end(window.to));
}

/** A long time without a run passes in slices, as an unlimited reminder may fall due each minute. */
async function passTo(
  end: number,
  from: number,
  { replays, pace }: { replays: readonly PolicyReplay[]; pace: Yielding },
): Promise<void> {
  for (let at = from + PAUSE_MS; at < end; at += PAUSE_MS) {
    for (const replay of replays) replay.passTo(at);
    if (pace.isDue) await pace.rest();
  }
}
