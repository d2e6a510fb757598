import { isBody, type RuleProblem } from '#shared/checks/rules.ts';
import { isoDate } from './iso-date.ts';
import { dayOf, isTimezone, momentOf, toDay, toWall, zoneOf } from './local-time.ts';

/**
 * The rules of a maintenance window that span several members. Members that are
 * missing or wrong for themselves are left to their own schemas.
 */
export function windowProblems(window: Record<string, unknown>): RuleProblem[] {
  return [
    ...spanProblems(window),
    ...repeatProblems(window),
    ...lastDayProblems(window),
    ...visibilityProblems(window.statusPageVisibility),
  ];
}

function spanProblems({ startsAt, endsAt, timezone }: Record<string, unknown>): RuleProblem[] {
  if (!isDate(startsAt) || !isDate(endsAt)) return [];
  const zone = knownZone(timezone);
  // One that ends when it starts never opens: clients keep such windows to fill in later.
  if (momentOf(endsAt, zone) >= momentOf(startsAt, zone)) return [];
  return [{ path: ['endsAt'], message: 'expected a moment not before startsAt' }];
}

function repeatProblems({ repeatUnit, repeatInterval }: Record<string, unknown>): RuleProblem[] {
  if (typeof repeatUnit !== 'string' || (repeatInterval ?? null) !== null) return [];
  const message = 'expected a whole number from 1 to 365 beside a repeatUnit';
  return [{ path: ['repeatInterval'], message }];
}

function lastDayProblems(window: Record<string, unknown>): RuleProblem[] {
  const { startsAt, repeatEndsAt, timezone } = window;
  if (!isDate(startsAt) || !isDate(repeatEndsAt)) return [];
  const zone = knownZone(timezone);
  const first = toWall(momentOf(startsAt, zone), zone);
  if (dayOf(repeatEndsAt, zone) >= toDay(first)) return [];
  const day = new Date(first).toISOString().slice(0, 10);
  const message = `expected a day not before ${day}, on which the first occurrence starts`;
  return [{ path: ['repeatEndsAt'], message }];
}

function visibilityProblems(visibility: unknown): RuleProblem[] {
  if (!isBody(visibility)) return [];
  const { affectAllServices, serviceIds, statusPageIds } = visibility;
  const namesServices = isFilled(serviceIds);
  const all = affectAllServices === true;
  return [
    ...(all && namesServices
      ? [problem('serviceIds', 'expected none beside affectAllServices')]
      : []),
    ...(isFilled(statusPageIds) && !all && !namesServices
      ? [problem('statusPageIds', 'expected serviceIds or affectAllServices beside them')]
      : []),
  ];
}

function problem(member: string, message: string): RuleProblem {
  return { path: ['statusPageVisibility', member], message };
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isDate(value: unknown): value is string {
  return isoDate.safeParse(value).success;
}

/** The zone of a window, UTC where it names one that does not exist. */
function knownZone(timezone: unknown): string {
  return zoneOf(typeof timezone === 'string' && isTimezone(timezone) ? timezone : null);
}
