import { z } from 'zod';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { incidentHead, storedIncident } from '#shared/incidents/incident.ts';
import { CHANNEL_TYPES } from '#shared/notifications/config.ts';
import { NOTIFICATION_STATUSES } from '#shared/notifications/notification.ts';
import { RUN_SOURCES, SESSION_STATUSES } from '#shared/sessions/check-session.ts';
import { TEST_SESSION_STATUSES } from '#shared/sessions/test-session.ts';
import { storedMailing } from '#shared/status-pages/mailing.ts';
import { storedSubscription } from '#shared/status-pages/subscription.ts';

/**
 * What a record that is kept whole as JSON must have, so that whoever takes it up does not break on it.
 * Members that are only shown are left out: what an older version kept without them is still of use.
 */

const text = z.string();
const time = z.number();
const flags = { hasFailures: z.boolean(), hasErrors: z.boolean(), isDegraded: z.boolean() };

const session = z.object({
  id: text,
  checkId: text,
  checkType: z.enum(CHECK_TYPES),
  name: text,
  status: z.enum(SESSION_STATUSES),
  runSource: z.enum(RUN_SOURCES),
  createdAt: time,
  firstRunAt: time.nullable(),
  deadlineAt: time.nullable(),
  stoppedAt: time.nullable(),
  runLocations: z.array(text),
  results: z.array(
    z.looseObject({
      ...flags,
      overMaxResponseTime: z.boolean(),
      checkResultId: text,
      runLocation: text,
      resultType: z.enum(['FINAL', 'ATTEMPT']),
      sequenceId: text,
      responseTime: z.number(),
      startedAt: time,
      stoppedAt: time,
    }),
  ),
  overrides: z.object({ location: text.optional(), builtIns: z.record(text, text).optional() }),
});

const batch = z.object({
  id: text,
  concurrency: z.number().positive(),
  groupId: z.number().optional(),
  sessionIds: z.array(text),
});

const testSession = z.object({
  id: text,
  name: text,
  status: z.enum(TEST_SESSION_STATUSES),
  runLocation: text,
  createdAt: time,
  stoppedAt: time.nullable(),
  metadata: z.record(text, z.unknown()),
});

const testResult = z.object({
  ...flags,
  id: text,
  position: z.number(),
  checkId: text,
  checkType: z.enum(CHECK_TYPES),
  name: text,
  resultType: z.enum(['PENDING', 'ATTEMPT', 'FINAL']),
  status: z.enum(TEST_SESSION_STATUSES),
  startedAt: time.nullable(),
  stoppedAt: time.nullable(),
});

const check = z.looseObject({ id: text, name: text, type: z.enum(CHECK_TYPES) });
const notice = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('alert'), alertType: text, check, startedAt: text }),
  z.looseObject({ kind: z.literal('flapping'), check, startedAt: text }),
  z.looseObject({
    kind: z.literal('digest'),
    direction: text,
    count: z.number(),
    groups: z.array(z.looseObject({ count: z.number() })),
    causes: z.array(text),
    checkNames: z.array(text),
  }),
  z.looseObject({ kind: z.literal('own'), condition: text, reason: text, isOver: z.boolean() }),
  z.looseObject({ kind: z.literal('closing'), incident: text }),
]);

const notification = z.object({
  id: text,
  channelId: text,
  channelType: z.enum(CHANNEL_TYPES),
  status: z.enum(NOTIFICATION_STATUSES),
  notice,
  tries: z.number(),
  dueAt: time,
  createdAt: time,
});

/** Whoever takes one up looks at its members: a channel must not lose all for one of them. */
const channelState = z.record(text, z.unknown());

const actorState = z.record(text, z.unknown());

/** The kinds of records, as the log names them. */
export const RECORD_SHAPES = {
  session,
  batch,
  testSession,
  testResult,
  notification,
  channelState,
  actorState,
  incident: storedIncident,
  incidentHead,
  subscription: storedSubscription,
  mailing: storedMailing,
} as const;
export type RecordKind = keyof typeof RECORD_SHAPES;
