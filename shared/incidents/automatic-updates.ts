import { markdownText } from '#shared/notifications/markdown-text.ts';
import { type IncidentStatus, MAX_INCIDENT_UPDATES, type StoredIncident } from './incident.ts';
import { spanOfIncident } from './incident-rules.ts';

/** When something was found of a check, and what its record needs. Times are epoch ms. */
export interface Finding {
  /** On one line. */
  checkName: string;
  /** When the run or the missed ping was judged. */
  at: number;
  now: number;
  /** UUIDv7 of `now`: of the update, if there is to be one. */
  updateId: string;
}

/** Whether there is room for another update besides the one that resolves the incident. */
export function hasRoomForUpdate({ updates }: StoredIncident): boolean {
  return updates.length < MAX_INCIDENT_UPDATES - 1;
}

/** The check fails again. */
export function withFailure(incident: StoredIncident, finding: Finding): StoredIncident {
  return withUpdate(incident, 'INVESTIGATING', `${nameIn(finding)} fails again.`, finding);
}

/** The check no longer fails, and is degraded. */
export function withDegradation(incident: StoredIncident, finding: Finding): StoredIncident {
  const text = `${nameIn(finding)} answers again, but more slowly than it should.`;
  return withUpdate(incident, 'MONITORING', text, finding);
}

/** The check passes: automation has done its work. */
export function withRecovery(incident: StoredIncident, finding: Finding): StoredIncident {
  const lastedMs = publicDateOf(incident, finding) - spanOfIncident(incident).startedAt;
  const text = `${nameIn(finding)} has recovered after ${durationInWords(lastedMs)}.`;
  return { ...withUpdate(incident, 'RESOLVED', text, finding), automation: null };
}

/** Automation no longer looks after the incident; people do. */
export function released(incident: StoredIncident, now: number): StoredIncident {
  return { ...incident, revision: incident.revision + 1, automation: null, updatedAt: now };
}

function withUpdate(
  incident: StoredIncident,
  status: IncidentStatus,
  description: string,
  finding: Finding,
): StoredIncident {
  const { now, updateId } = finding;
  const update = {
    id: updateId,
    description,
    status,
    publishedAt: publicDateOf(incident, finding),
    createdAt: now,
    notifySubscribers: incident.automation?.notifySubscribers ?? false,
  };
  return {
    ...incident,
    revision: incident.revision + 1,
    updates: [...incident.updates, update],
    updatedAt: now,
  };
}

/** How a text names the check, in Markdown. */
export const nameIn = ({ checkName }: Finding): string => markdownText(checkName);

/** Of the next update: never before another one, also where the clock was set back. */
function publicDateOf({ updates }: StoredIncident, { at }: Finding): number {
  return updates.reduce((latest, { publishedAt }) => Math.max(latest, publishedAt), at);
}

const UNITS: readonly [string, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** A duration in its two largest units: `1 hour 5 minutes`; where that rounds to none, `less than a second`. */
export function durationInWords(ms: number): string {
  let rest = Math.round(ms / 1_000);
  const parts = UNITS.map(([unit, seconds]) => {
    const amount = Math.floor(rest / seconds);
    rest -= amount * seconds;
    return amount === 0 ? '' : `${amount} ${unit}${amount === 1 ? '' : 's'}`;
  });
  const first = parts.findIndex((part) => part !== '');
  if (first === -1) return 'less than a second';
  return parts
    .slice(first, first + 2)
    .filter((part) => part !== '')
    .join(' ');
}
