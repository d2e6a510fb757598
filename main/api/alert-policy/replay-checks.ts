import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AlertPolicy } from '#shared/alert/alert.ts';
import type { Window } from '#shared/api/window.ts';
import type { Check } from '#shared/check/check.ts';
import { PolicyReplay, type ReplaySummary } from '#shared/rules/alert/replay.ts';
import type { OutcomeReader } from './outcomes.ts';

/** Reminders of so long a time without a run are worked out at once. */
const PAUSE_MS = 86_400_000;

export interface ReplayedCheck {
  check: Check;
  /** Each is run over the same results. */
  policies: readonly AlertPolicy[];
  silencedAt(at: number): boolean;
}

/** Runs policies over the results of a check; answers a summary for each, in their order. */
export async function replayCheck(
  { check, policies, silencedAt }: ReplayedCheck,
  window: Window,
  reader: OutcomeReader,
): Promise<ReplaySummary[]> {
  const replays = policies.map((policy) => new PolicyReplay(policy, silencedAt));
  let at = window.from;
  for await (const outcomes of reader.outcomesOf(check, window)) {
    for (const outcome of outcomes) {
      await passTo(outcome.at, at, replays);
      for (const replay of replays) replay.add(outcome);
      at = outcome.at;
    }
    await nextTurn();
  }
  await passTo(window.to, at, replays);
  return replays.map((replay) => replay.end(window.to));
}

/** A long time without a run passes in slices, as an unlimited reminder may fall due each minute. */
async function passTo(end: number, from: number, replays: readonly PolicyReplay[]): Promise<void> {
  for (let at = from + PAUSE_MS; at < end; at += PAUSE_MS) {
    for (const replay of replays) replay.passTo(at);
    await nextTurn();
  }
}
