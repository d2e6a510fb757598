import { z } from 'zod';
import { hash32 } from '#shared/hash.ts';
import { cleanedMessage } from './cleaned-message.ts';

/** Failures of a check, or of all test sessions, whose messages are alike. */
export interface StoredErrorGroup {
  id: string;
  /** Null of test sessions. */
  checkId: string | null;
  errorHash: string;
  /** As it was first seen. */
  rawErrorMessage: string;
  cleanedErrorMessage: string;
  /** Epoch ms. */
  firstSeen: number;
  lastSeen: number;
  archived: ErrorGroupArchive;
}

/** Lists leave out groups that are archived; the next failure brings back those that are until then. */
export const ERROR_GROUP_ARCHIVES = ['none', 'untilNextEvent', 'forEver'] as const;
export type ErrorGroupArchive = (typeof ERROR_GROUP_ARCHIVES)[number];

/** Where the failures of test sessions are grouped, whatever the check. */
export const TEST_SESSIONS = 'test sessions';

/** What the group of a failure is known by before it is written. */
export interface ErrorGroupKey {
  id: string;
  errorHash: string;
  cleanedErrorMessage: string;
}

/**
 * The group that a failure belongs to: a UUID that follows from what is grouped, so that a result names its group
 * without looking it up.
 * @param scope the id of a check, or {@link TEST_SESSIONS}
 */
export function errorGroupKey(scope: string, message: string): ErrorGroupKey {
  const cleanedErrorMessage = cleanedMessage(message);
  const id = hash128(`${scope}\n${cleanedErrorMessage}`);
  return { id: asUuid(id), errorHash: hash128(cleanedErrorMessage), cleanedErrorMessage };
}

function hash128(text: string): string {
  return [0, 1, 2, 3].map((n) => hash32(`${n}${text}`).toString(16).padStart(8, '0')).join('');
}

/** Version 8: of a scheme of our own. */
function asUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const members = z.object({
  id: z.guid(),
  errorHash: z.string(),
  rawErrorMessage: z.string().nullable(),
  cleanedErrorMessage: z
    .string()
    .meta({ description: 'Without numbers, ids, addresses, times and quoted texts' }),
  firstSeen: z.iso.datetime(),
  lastSeen: z.iso.datetime(),
  archivedUntilNextEvent: z.boolean(),
  archivedForEver: z.boolean(),
  rootCauseAnalyses: z.array(z.looseObject({})).meta({ description: 'Always empty here' }),
});

export const errorGroup = members.extend({ checkId: z.guid() });

export const testSessionErrorGroup = members.extend({
  projectId: z.null(),
  environments: z.null(),
  pwtMetadata: z.null(),
});

/** Body of `PATCH`. */
export const errorGroupPatch = z.object({
  archivedUntilNextEvent: z.boolean().optional(),
  archiveForEver: z.boolean().optional(),
});
export type ErrorGroupPatch = z.output<typeof errorGroupPatch>;

/** How a group is archived after a patch: for ever stands above until the next event; false undoes its own. */
export function archivedAfter(
  before: ErrorGroupArchive,
  { archivedUntilNextEvent, archiveForEver }: ErrorGroupPatch,
): ErrorGroupArchive {
  const isForEver = archiveForEver ?? before === 'forEver';
  if (isForEver) return 'forEver';
  return (archivedUntilNextEvent ?? before === 'untilNextEvent') ? 'untilNextEvent' : 'none';
}

function viewMembers({ firstSeen, lastSeen, archived, checkId: _, ...group }: StoredErrorGroup) {
  return {
    ...group,
    firstSeen: new Date(firstSeen).toISOString(),
    lastSeen: new Date(lastSeen).toISOString(),
    archivedUntilNextEvent: archived === 'untilNextEvent',
    archivedForEver: archived === 'forEver',
    rootCauseAnalyses: [],
  };
}

export function viewErrorGroup(group: StoredErrorGroup) {
  return { ...viewMembers(group), checkId: group.checkId };
}

export function viewTestSessionErrorGroup(group: StoredErrorGroup) {
  return { ...viewMembers(group), projectId: null, environments: null, pwtMetadata: null };
}
