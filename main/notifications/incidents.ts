import type { OpenIncident } from '#shared/notifications/channel-state.ts';
import type { ChannelType } from '#shared/notifications/config.ts';

/**
 * The incidents that are open at a service which keeps them, and the checks that each tells of. An
 * incident ends when nobody is left in it.
 */

/** Oldest first. */
export type Incidents = readonly OpenIncident[];

/** Services that open an incident by a key, and close it by the same one. */
const KEEP_INCIDENTS: ReadonlySet<ChannelType> = new Set(['PAGERDUTY', 'OPSGENIE']);

export function keepsIncidents(type: ChannelType): boolean {
  return KEEP_INCIDENTS.has(type);
}

/**
 * Checks in the open incidents of one channel: the largest account has 10,000, and each may be in an
 * incident of its own and in that of a storm.
 */
export const MAX_CHECKS_IN_INCIDENTS = 20_000;

/** The incidents after a change, and the keys of those that ended with it and are to be closed. */
interface LedgerChange {
  incidents: Incidents;
  keys: readonly string[];
}

/** After a message about these checks, known by `key`; beyond the bound the oldest incidents end. */
export function opened(
  incidents: Incidents,
  key: string,
  checkIds: readonly string[],
): LedgerChange {
  const known = incidents.find((one) => one.key === key);
  const before = new Set(known?.checkIds);
  const more = checkIds.filter((id) => !before.has(id));
  if (more.length === 0) return { incidents, keys: [] };
  const others = incidents.filter((one) => one !== known);
  return bounded([...others, { key, checkIds: [...before, ...more] }]);
}

/** Without the checks that recovered, or that are gone; and the keys of the incidents that end so. */
export function ended(incidents: Incidents, isOver: (checkId: string) => boolean): LedgerChange {
  if (!incidents.some(({ checkIds }) => checkIds.some(isOver))) return { incidents, keys: [] };
  const left = incidents.map(({ key, checkIds }) => ({
    key,
    checkIds: checkIds.filter((id) => !isOver(id)),
  }));
  return {
    incidents: left.filter(({ checkIds }) => checkIds.length > 0),
    keys: left.filter(({ checkIds }) => checkIds.length === 0).map(({ key }) => key),
  };
}

/**
 * The incident that a message about many checks says again: where each of them is in some open one,
 * nothing new began, as when many are reminded of at once. The one with most of them; null where
 * there is news.
 */
export function incidentOfAll(incidents: Incidents, checkIds: readonly string[]): string | null {
  const known = new Set(incidents.flatMap((one) => one.checkIds));
  if (checkIds.length === 0 || !checkIds.every((id) => known.has(id))) return null;
  const asked = new Set(checkIds);
  const shared = (one: OpenIncident) => one.checkIds.filter((id) => asked.has(id)).length;
  const sizes = incidents.map((one) => ({ key: one.key, size: shared(one) }));
  return sizes.toSorted((one, other) => other.size - one.size)[0]?.key ?? null;
}

function bounded(incidents: Incidents): LedgerChange {
  let count = 0;
  const last = incidents.findLastIndex(({ checkIds }) => {
    count += checkIds.length;
    return count > MAX_CHECKS_IN_INCIDENTS;
  });
  // The newest stays, however large.
  const excess = Math.min(last + 1, incidents.length - 1);
  return {
    incidents: incidents.slice(excess),
    keys: incidents.slice(0, excess).map(({ key }) => key),
  };
}
