import { z } from 'zod';
import type { Standing } from '#shared/results/standing.ts';

/** What a badge can be of: the collections of the configuration. */
export const BADGE_KINDS = ['checks', 'groups'] as const;
export type BadgeKind = (typeof BADGE_KINDS)[number];

/** A check or a group whose badge answers without a key. */
export interface BadgeRecord {
  /** `checks/<UUID>` or `groups/<whole number>`. */
  id: string;
  kind: BadgeKind;
  /** The id of the check or the group. */
  target: string;
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string;
}

export const badgeSettings = z.strictObject({
  isPublic: z.boolean().meta({ description: 'Whether the badge answers without a key.' }),
});

export const BADGE_STYLES = ['flat', 'plastic', 'flat-square', 'for-the-badge', 'social'] as const;
export type BadgeStyle = (typeof BADGE_STYLES)[number];
export const BADGE_THEMES = ['light', 'dark', 'default'] as const;
export type BadgeTheme = (typeof BADGE_THEMES)[number];

/** What a badge tells. */
export interface Badge {
  /** Of the check or the group. */
  name: string;
  state: Standing;
  /** Of the last run in milliseconds; null where there is none. */
  responseTime: number | null;
}

/** Characters of a name that a badge shows. */
const MAX_LABEL = 60;

/** A name as a badge shows it: on one line, without characters that no XML may have, cut where it is long. */
export function badgeLabel(name: string): string {
  const plain = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\uFFFE\uFFFF]+/gu, ' ')
    .trim();
  const characters = [...plain];
  if (characters.length <= MAX_LABEL) return plain;
  return `${characters.slice(0, MAX_LABEL - 1).join('')}…`;
}

/** The state, with the response time where that is asked for and known: `passing, 120 ms`. */
export function badgeMessage({ state, responseTime }: Badge, withResponseTime: boolean): string {
  if (!withResponseTime || responseTime === null || state === 'paused') return state;
  return `${state}, ${inUnits(responseTime)}`;
}

function inUnits(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1_000)} s`;
}
