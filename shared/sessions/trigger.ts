import { z } from 'zod';

/**
 * A trigger: a secret URL that runs a check, or the checks of a group, without a key.
 */
export interface Trigger {
  /** A whole number in digits. */
  id: string;
  /** The secret of its URL: 12 URL-safe characters. */
  token: string;
  target: TriggerTarget;
  created_at: string;
  /** Null until its URL is called. */
  called_at: string | null;
}

/** What a trigger runs: one check by its UUID, or one group by its number. */
export type TriggerTarget = { checkId: string } | { groupId: number };

/** 12 characters of 6 bits each. */
export const TOKEN_BYTES = 9;

export const triggerTarget = z.union([
  z.object({ checkId: z.string().min(1) }),
  z.object({ groupId: z.int().positive() }),
]) satisfies z.ZodType<TriggerTarget>;

export function isSameTarget(one: TriggerTarget, other: TriggerTarget): boolean {
  return 'checkId' in one
    ? 'checkId' in other && one.checkId === other.checkId
    : 'groupId' in other && one.groupId === other.groupId;
}

const members = {
  id: z.int(),
  token: z.string(),
  created_at: z.iso.datetime(),
  called_at: z.iso.datetime().nullable(),
  /** A trigger is made and ended, never changed. */
  updated_at: z.null(),
};

export const checkTrigger = z.object({ ...members, checkId: z.guid() });
export const groupTrigger = z.object({ ...members, groupId: z.int() });

export function viewTrigger({ id, token, target, created_at, called_at }: Trigger) {
  return { id: Number(id), token, created_at, called_at, updated_at: null, ...target };
}

/** What a call of a trigger's URL answers once its runs are over. */
export const triggerOutcome = z.object({
  hasFailures: z.boolean(),
  responseTime: z
    .number()
    .nullable()
    .optional()
    .meta({ description: 'For a single API check only: milliseconds at the slowest location.' }),
});
export type TriggerOutcome = z.output<typeof triggerOutcome>;
