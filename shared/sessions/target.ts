import { z } from 'zod';
import type { MatchTags } from './match-tags.ts';

/** Bounds on what one trigger may name: the specification has none. */
const MAX_TAG_LISTS = 50;
const MAX_TAGS = 20;
const MAX_CHECKS = 10_000;
const MAX_GROUPS = 100;

const tag = z
  .string()
  .min(1)
  .max(501)
  .refine((text) => text !== '!', { error: 'expected a tag after `!`' });

/** Clients send null for a list that they do not use. */
const unsent = (value: unknown) => value ?? undefined;
const orOne = (value: unknown) =>
  value === undefined || value === null || Array.isArray(value) ? unsent(value) : [value];

const matchTags = z
  .preprocess(unsent, z.array(z.array(tag).min(1).max(MAX_TAGS)).max(MAX_TAG_LISTS).optional())
  .optional()
  .meta({
    description:
      'Checks whose tags match one of these lists whole; `!` before a tag means without it. Tags of the group count as those of its checks.',
  });

const checkIds = z.array(z.guid().toLowerCase()).max(MAX_CHECKS).optional();

const groupId = z
  .preprocess(orOne, z.array(z.int().positive()).max(MAX_GROUPS).optional())
  .optional()
  .meta({
    description:
      'The checks of these groups, in the order of `groupOrder` and with the concurrency of the group; one id or a list.',
  });

const NAMED = 'Checks with these ids; others do not match.';

/** Which checks a trigger means; several members must all match. One id may stand for a list (v1). */
export const targetV1 = z.strictObject({
  matchTags,
  checkId: z
    .preprocess(orOne, checkIds)
    .optional()
    .meta({ description: `${NAMED} One id or a list.` }),
  groupId,
});

/** The same in v2, where `checkId` is a list. */
export const targetV2 = targetV1.extend({
  checkId: z.preprocess(unsent, checkIds).optional().meta({ description: NAMED }),
});

/** {@link targetV1} after its schema. A member left out lets every check through. */
export interface Target {
  matchTags?: MatchTags | undefined;
  checkId?: readonly string[] | undefined;
  groupId?: readonly number[] | undefined;
}
