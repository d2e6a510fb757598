import { z } from 'zod';
import { projectBindings } from '#shared/api/project.ts';
import { retryStrategy } from './blocks.ts';
import {
  CHECK_KINDS,
  createSchema,
  genericCreateSchema,
  genericRestSchema,
  genericUpdateSchema,
  keptScript,
  refusedShape,
  updateSchema,
} from './check.ts';
import { CHECK_TYPES, type CheckType } from './enums.ts';
import { heartbeatSettings } from './heartbeat.ts';
import { checkIntent, checkIntentV3 } from './intent.ts';

/** The schemas of one check type's bodies and of its answer. */
export interface CheckSchemas {
  create: z.ZodType<Members>;
  update: z.ZodType<Members>;
  /** Body of `POST /v1/checks` for a check of this type. */
  genericCreate: z.ZodType<Members>;
  /** Body of `PUT /v1/checks/{id}` for a check of this type. */
  genericUpdate: z.ZodType<Members>;
  /** The same where the body's `heartbeat` or `script` is empty. */
  genericRest: z.ZodType<Members>;
  read: z.ZodType;
}

/** Members of a check after its schema: which ones depends on the type. */
export type Members = Record<string, unknown>;

/** Nobody deploys checks from a project yet: what v1 and v2 say of one. */
const readExtras = {
  alertChannels: z.object({}),
  project: z.null().optional(),
  logicalId: z.null().optional(),
  member: z.null().optional(),
  pending: z.null().optional(),
  projectBindings,
  setupScriptDependencies: z.null().optional(),
  tearDownScriptDependencies: z.null().optional(),
};

function schemasOf(type: CheckType): CheckSchemas {
  const literal = z.literal(type);
  const refused = refusedShape(type);
  return {
    create: createSchema(type).safeExtend({ ...refused, checkType: literal.default(type) }),
    update: updateSchema(type).safeExtend({ ...refused, checkType: literal.optional() }),
    genericCreate: genericCreateSchema(type),
    genericUpdate: genericUpdateSchema(type),
    genericRest: genericRestSchema(type),
    read: readSchema(type),
  };
}

/** Members that an answer leaves out where they were never set: null would mean something else. */
export const ABSENT_UNLESS_SET: readonly string[] = [
  'retryStrategy',
  'frequencyOffset',
  'dependencies',
  'codeBundlePath',
];

function readSchema(type: CheckType): z.ZodType {
  const { fields } = CHECK_KINDS[type];
  const shape = Object.entries(fields as Record<string, z.ZodType>).map(([name, schema]) => [
    name,
    ABSENT_UNLESS_SET.includes(name) ? schema.optional() : schema,
  ]);
  return z.object({
    id: z.uuid(),
    checkType: z.literal(type),
    ...Object.fromEntries(shape),
    ...readOverrides(type),
    ...keptScript(type),
    intent: z.union([checkIntentV3, checkIntent]).nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().nullable(),
    ...readExtras,
  });
}

/** Where an answer says more, or less, than was sent. */
function readOverrides(type: CheckType) {
  if (type !== 'HEARTBEAT') {
    return 'retryStrategy' in CHECK_KINDS[type].fields
      ? { retryStrategy: retryStrategy.optional() }
      : {};
  }
  const { period, periodUnit, grace, graceUnit } = heartbeatSettings.shape;
  const heartbeat = { period, periodUnit, grace, graceUnit, pingToken: z.guid(), pingUrl: z.url() };
  return { heartbeat: z.object(heartbeat) };
}

/** Built once: a schema costs a hundred times what parsing with it does. */
export const CHECK_SCHEMAS = Object.fromEntries(
  CHECK_TYPES.map((type) => [type, schemasOf(type)]),
) as Record<CheckType, CheckSchemas>;

/** A check of any type, as it is answered. */
export const anyCheck = z.union(CHECK_TYPES.map((type) => CHECK_SCHEMAS[type].read));

/** Body of `POST /v1/checks` before its type is known. */
export const typedBody = z.object({ name: z.string().min(1), checkType: z.enum(CHECK_TYPES) });
