import { muteText } from '#renderer/messages/mute.ts';
import { minute } from '#renderer/parts/format.ts';

const HOUR_MS = 3_600_000;
const MORNING_HOUR = 9;

/** How long something may be muted, by the name of the choice. */
export const MUTE_ENDS = ['hour', 'tomorrow', 'never'] as const;
export type MuteEnd = (typeof MUTE_ENDS)[number];

/** When a mute ends that begins now, epoch ms, by the clock of this machine; null: when somebody unmutes. */
export function endOf(end: MuteEnd, now: number): number | null {
  if (end === 'never') return null;
  if (end === 'hour') return now + HOUR_MS;
  const at = new Date(now);
  at.setDate(at.getDate() + 1);
  return at.setHours(MORNING_HOUR, 0, 0, 0);
}

/** What is said of something that was muted. */
export function mutedText(name: string, until: number | null): string {
  return until === null
    ? muteText.isMuted(name)
    : muteText.isMutedUntil(name, minute(until, Date.now()));
}
