import { z } from 'zod';
import { apiCheck, apiRequest } from '#shared/checks/api.ts';
import {
  alertChannelSubscriptions,
  alertSettings,
  environmentVariables,
  keyValue,
  list,
  retryStrategy,
} from '#shared/checks/blocks.ts';
import { commonFields, placedFields } from '#shared/checks/common.ts';
import { LOCATIONS } from '#shared/checks/enums.ts';
import { groupRules, withRules } from '#shared/checks/rules.ts';
import { orUnset } from '#shared/checks/unset.ts';
import { secret } from '#shared/secrets.ts';

/** Check groups (specification 2.6). Bounds without a source there are ours. */

/** Most groups of an account. */
export const MAX_GROUPS = 5_000;
const MAX_CONCURRENCY = 1_000;

/** Clients send a pair of empty texts for "none": it is kept, and never sent. */
const defaultValue = keyValue.extend({
  key: z.string().max(1_000),
  value: orUnset(keyValue.shape.value.default('')),
});
const credential = (text: z.ZodString) => orUnset(text.max(2_000).default(''));

/** What the API checks of a group get beside what they say themselves. */
const apiCheckDefaults = z
  .object({
    url: z.string().max(2_048).nullable().default(''),
    headers: list(defaultValue).default([]),
    queryParameters: list(defaultValue).default([]),
    assertions: apiRequest.shape.assertions,
    basicAuth: z
      .object({ username: credential(z.string()), password: credential(secret(z.string())) })
      .nullable()
      .prefault({}),
  })
  .nullable()
  .transform((defaults) => defaults ?? EMPTY_DEFAULTS);
export type ApiCheckDefaults = NonNullable<z.output<typeof apiCheckDefaults>>;

/** The form in which answers show that a group gives its API checks nothing. */
const EMPTY_DEFAULTS = {
  url: '',
  headers: [],
  queryParameters: [],
  assertions: [],
  basicAuth: { username: '', password: '' },
};

/** Every member of a group without its default: an update applies none. */
const fields = {
  name: commonFields.name,
  activated: commonFields.activated,
  muted: commonFields.muted,
  tags: commonFields.tags,
  locations: list(z.enum(LOCATIONS), LOCATIONS.length),
  privateLocations: placedFields.privateLocations,
  concurrency: z.int().min(1).max(MAX_CONCURRENCY),
  apiCheckDefaults,
  browserCheckDefaults: z.string().max(64_000).nullable(),
  runtimeId: commonFields.runtimeId,
  environmentVariables,
  alertChannelSubscriptions,
  setupSnippetId: apiCheck.fields.setupSnippetId,
  tearDownSnippetId: apiCheck.fields.tearDownSnippetId,
  localSetupScript: apiCheck.fields.localSetupScript,
  localTearDownScript: apiCheck.fields.localTearDownScript,
  runParallel: z.boolean().nullable(),
  alertSettings: alertSettings.nullable(),
  retryStrategy: z.union([z.literal('FALLBACK'), retryStrategy]),
  useGlobalAlertSettings: z.boolean().nullable(),
  doubleCheck: commonFields.doubleCheck,
};

/** Members that a group may lack: no value of theirs means "never set". */
const optionalFields = {
  browserCheckDefaults: fields.browserCheckDefaults.optional(),
  runParallel: fields.runParallel.optional(),
  retryStrategy: fields.retryStrategy.optional(),
};

const newGroup = {
  ...fields,
  ...optionalFields,
  activated: fields.activated.default(true),
  muted: fields.muted.default(false),
  tags: fields.tags.default([]),
  locations: fields.locations.default([]),
  privateLocations: fields.privateLocations.default([]),
  concurrency: fields.concurrency.default(3),
  apiCheckDefaults: fields.apiCheckDefaults.prefault({}),
  runtimeId: fields.runtimeId.default(null),
  environmentVariables: fields.environmentVariables.default([]),
  alertChannelSubscriptions: fields.alertChannelSubscriptions.default([]),
  setupSnippetId: fields.setupSnippetId.default(null),
  tearDownSnippetId: fields.tearDownSnippetId.default(null),
  localSetupScript: fields.localSetupScript.default(null),
  localTearDownScript: fields.localTearDownScript.default(null),
  alertSettings: fields.alertSettings.default(null),
};

/**
 * Body of `POST /v1/check-groups`. Its defaults make a group that decides everything for its checks:
 * no retries but those of `doubleCheck`, one location after another, the account's alert settings.
 * What a group decides stands in its members alone: none remembers the version that made it.
 */
const createV1 = z.object({
  ...newGroup,
  runParallel: fields.runParallel.default(false),
  useGlobalAlertSettings: fields.useGlobalAlertSettings.default(true),
  doubleCheck: fields.doubleCheck.default(true),
});
export const groupCreateV1 = withRules(createV1, groupRules);

/** Body of `POST /v2/check-groups`. Its defaults make a group that leaves its checks their own. */
const createV2 = z
  .object({
    ...newGroup,
    useGlobalAlertSettings: fields.useGlobalAlertSettings.default(null),
    doubleCheck: fields.doubleCheck.default(false),
    retryStrategy: optionalFields.retryStrategy.meta({ default: 'FALLBACK' }),
  })
  // The older `doubleCheck` counts only where no strategy is given, so there must be none then.
  .overwrite(({ retryStrategy: given, ...group }) => {
    const strategy = given === undefined && !group.doubleCheck ? 'FALLBACK' : given;
    return { ...group, ...(strategy !== undefined && { retryStrategy: strategy }) };
  });
export const groupCreateV2 = withRules(createV2, groupRules);

/** What a create schema of either version let through. */
export type NewGroup = z.output<typeof groupCreateV1> | z.output<typeof groupCreateV2>;

/** Body of `PUT` in both versions: members left out stay as they were. */
export const groupUpdate = withRules(z.object(fields).partial(), groupRules);
export type GroupChanges = z.output<typeof groupUpdate>;

/** A group as the configuration file holds it. */
export const storedGroup = z.object({
  id: z.string().regex(/^[1-9]\d{0,14}$/, 'expected a whole number in digits'),
  ...fields,
  ...optionalFields,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
});

/** A check group. Its id is a positive whole number in decimal digits. */
export type Group = z.output<typeof storedGroup>;
