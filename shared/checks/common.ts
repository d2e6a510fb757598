import { z } from 'zod';
import {
  alertChannelSubscriptions,
  alertSettings,
  checkRetryStrategy,
  frequency,
  frequencyOffset,
  list,
  triggerIncident,
} from './blocks.ts';
import { LOCATIONS, RUNTIME_IDS } from './enums.ts';
import { checkIntent } from './intent.ts';
import { orNull } from './unset.ts';

/** Members that every check type has. */
export const suiteFields = {
  name: z.string().min(1).max(500),
  description: z.string().max(510).nullable(),
  activated: z.boolean(),
  muted: z.boolean(),
  tags: list(z.string().min(1).max(500)),
  locations: z.array(z.enum(LOCATIONS)).max(LOCATIONS.length).nullable(),
  alertSettings: alertSettings.nullable(),
  useGlobalAlertSettings: z
    .boolean()
    .nullable()
    .transform((use) => use ?? true),
  alertChannelSubscriptions,
  groupId: orNull(z.int().positive(), 0),
  groupOrder: z.number().min(0).nullable(),
  triggerIncident,
  runParallel: z
    .boolean()
    .nullable()
    .transform((parallel) => parallel ?? false),
  intent: checkIntent.nullable(),
  aiAutoRepairEnabled: z.boolean().nullable(),
};

/** Members that every check type but PLAYWRIGHT has (specification 2.2). */
export const commonFields = {
  ...suiteFields,
  doubleCheck: z.boolean(),
  shouldFail: z.boolean(),
  runtimeId: orNull(z.enum(RUNTIME_IDS), ''),
};

export const suiteDefaults = {
  description: null,
  activated: true,
  muted: false,
  tags: [],
  locations: [],
  alertSettings: {},
  useGlobalAlertSettings: true,
  alertChannelSubscriptions: [],
  groupId: null,
  groupOrder: null,
  triggerIncident: null,
  runParallel: false,
};
export const commonDefaults = {
  ...suiteDefaults,
  doubleCheck: true,
  shouldFail: false,
  runtimeId: null,
};

/** Members of every type whose runs happen at a place: all but HEARTBEAT. */
export const placedFields = {
  privateLocations: z.array(z.string().min(1).max(200)).max(100).nullable(),
};

/** Members of the types whose failing runs may be tried again. */
export const retriedFields = { retryStrategy: checkRetryStrategy };

/** Members of the types that ask a target over the network, down to every ten seconds. */
export const networkFields = {
  ...commonFields,
  ...placedFields,
  ...retriedFields,
  frequency: frequency(0),
  frequencyOffset,
};
export const networkDefaults = { ...commonDefaults, frequency: 10 };
