import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { BadgeKind } from '#shared/badges/badge.ts';
import type { Check } from '#shared/checks/check.ts';
import type { Dashboard } from '#shared/dashboards/dashboard.ts';
import type { Group } from '#shared/groups/group.ts';
import { notFound } from './service-error.ts';

interface Readable {
  checks: Check;
  groups: Group;
  dashboards: Dashboard;
}

type Lookups = {
  [K in keyof Readable]: (configuration: Configuration, id: string) => Found<Readable[K]>;
};

interface Found<T> {
  record: T | undefined;
  isPublic: boolean;
}

/** How each kind is found, and what makes one of it public. */
const LOOKUPS: Lookups = {
  checks: ({ checks, badges }, id) => ({
    record: checks.get(id),
    isPublic: badges.get(badgeId('checks', id)) !== undefined,
  }),
  groups: ({ groups, badges }, id) => ({
    record: groups.get(id),
    isPublic: badges.get(badgeId('groups', id)) !== undefined,
  }),
  // By its address or its domain, which has a dot: its ids are for those with a key.
  dashboards: ({ dashboards }, address) => {
    const wanted = address.toLowerCase();
    const record = dashboards
      .all()
      .find(({ customUrl, customDomain }) => customUrl === wanted || customDomain === wanted);
    return { record, isPublic: record?.isPrivate === false };
  },
};

/**
 * What may be read without a key, decided here for all of it. Whatever is not there and whatever is not
 * public are refused alike, after the same look-ups.
 *
 * @throws ServiceError NOT_FOUND
 */
export function findPublic<K extends keyof Readable>(
  configuration: Configuration,
  kind: K,
  id: string,
): Readable[K] {
  const { record, isPublic } = LOOKUPS[kind](configuration, id);
  if (record === undefined || !isPublic) throw notFound('Nothing public is here');
  return record;
}

/** The id of the record that makes the badge of a check or a group public. */
export function badgeId(kind: BadgeKind, id: string): string {
  return `${kind}/${id}`;
}
