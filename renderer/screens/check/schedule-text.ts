import type { ShownCheck } from '#renderer/api/answers.ts';
import { text } from '#renderer/messages/messages.ts';
import { span, unitSpan } from '#renderer/parts/format.ts';
import { locationName } from '#renderer/parts/location-name.ts';

const MINUTE_MS = 60_000;
const { schedule } = text.check;

/** Milliseconds between two runs; null of a heartbeat, which waits for its job. */
export function everyMs(check: ShownCheck): number | null {
  if (check.checkType === 'HEARTBEAT') return null;
  const { frequency, frequencyOffset } = check;
  return (frequency ?? 0) > 0 ? (frequency ?? 0) * MINUTE_MS : (frequencyOffset ?? 10) * 1_000;
}

/** How often a check runs, and where: `every 10 s from Ireland`. */
export function scheduleText(check: ShownCheck): string {
  if (check.checkType === 'HEARTBEAT') {
    const { period, periodUnit, grace, graceUnit } = check.heartbeat;
    return schedule.heartbeat(unitSpan(period, periodUnit), unitSpan(grace, graceUnit));
  }
  const places = [...(check.locations ?? []).map(locationName), ...(check.privateLocations ?? [])];
  return schedule.every(span(everyMs(check) ?? 0), places.join(', '));
}
