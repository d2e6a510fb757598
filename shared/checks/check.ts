import { z } from 'zod';
import { SCRIPT_BYTES } from '#shared/sandbox/script.ts';
import { apiCheck } from './api.ts';
import { dnsCheck } from './dns.ts';
import type { CheckType, RunnableCheckType } from './enums.ts';
import { heartbeatCheck } from './heartbeat.ts';
import { icmpCheck } from './icmp.ts';
import type { Stored } from './kind.ts';
import { checkRules, defaultLimits, isBody, isLimit, wholeCheckRules, withRules } from './rules.ts';
import { browserCheck, multiStepCheck, playwrightCheck } from './scripted.ts';
import { tcpCheck } from './tcp.ts';
import { orUnset } from './unset.ts';
import { urlCheck } from './url.ts';

/** The one table of check types: a new type is a new line here. */
export const CHECK_KINDS = {
  API: apiCheck,
  BROWSER: browserCheck,
  HEARTBEAT: heartbeatCheck,
  ICMP: icmpCheck,
  MULTI_STEP: multiStepCheck,
  TCP: tcpCheck,
  PLAYWRIGHT: playwrightCheck,
  URL: urlCheck,
  DNS: dnsCheck,
} as const satisfies { [K in CheckType]: { checkType: K } };

type Kinds = typeof CHECK_KINDS;

/** What the appliance adds to every stored check. */
export interface CheckIdentity {
  /** UUID. */
  id: string;
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string;
  updated_at: string | null;
}

/** A stored check of one type. */
export type CheckOf<T extends CheckType> = CheckIdentity & { checkType: T } & Stored<Kinds[T]>;

/** A stored check. */
export type Check = { [T in CheckType]: CheckOf<T> }[CheckType];
export type HeartbeatCheck = CheckOf<'HEARTBEAT'>;
export type RunnableCheck = Exclude<Check, HeartbeatCheck>;

export function isHeartbeat(check: Check): check is HeartbeatCheck {
  return check.checkType === 'HEARTBEAT';
}

type AnyFields = Record<string, z.ZodType>;

/**
 * Body of `POST /v1/checks/{type}`: defaults applied, every problem reported at once, members that
 * the schema does not name dropped.
 */
export function createSchema(type: CheckType) {
  const { fields, defaults, required } = CHECK_KINDS[type];
  const given: Readonly<Record<string, unknown>> = defaults;
  const shape = mapShape(fields, (schema, name) => {
    if (isLimit(name)) return schema.optional().meta({ default: given[name] });
    if (name in given) return schema.prefault(given[name]);
    return (required as readonly string[]).includes(name) ? schema : schema.optional();
  });
  const withDefaults = z.object(shape).overwrite((check) => ({
    ...check,
    ...defaultLimits(check, given),
  }));
  const checked = withCheckRules(type, withDefaults);
  return withRules(checked, (body) => wholeCheckRules(type, body));
}

/** Body of `PUT /v1/checks/{type}/{id}`: every member optional, no defaults: left out is unchanged. */
export function updateSchema(type: CheckType) {
  const shape = mapShape(CHECK_KINDS[type].fields, (schema) => schema.optional());
  return withCheckRules(type, z.object(shape));
}

/**
 * `script` of a type that runs none: clients of the generic routes send it with any type and compare
 * what comes back, so it is kept, and does nothing.
 */
export function keptScript(type: CheckType): AnyFields {
  if ('script' in CHECK_KINDS[type].fields) return {};
  return { script: z.string().max(SCRIPT_BYTES).nullable().optional() };
}

/** Body of the generic `POST /v1/checks` for a check of the type given. */
export function genericCreateSchema(type: CheckType) {
  const checkType = z.literal(type).default(type);
  return createSchema(type).safeExtend({ ...keptScript(type), checkType });
}

/** Members that the generic `PUT /v1/checks/{id}` (4.1) requires, of the types that use them. */
const GENERIC_MEMBERS = ['heartbeat', 'script'];

/**
 * Body of the generic `PUT /v1/checks/{id}` (4.1) for a check of the type given: as
 * {@link updateSchema}, with `heartbeat` and `script` needed where the type uses them. With another
 * type `heartbeat` is taken and ignored, and `script` kept.
 */
export function genericUpdateSchema(type: CheckType) {
  const shape = mapShape(CHECK_KINDS[type].fields, (schema, name) =>
    GENERIC_MEMBERS.includes(name) ? schema : schema.optional(),
  );
  return genericBody(type, shape);
}

/**
 * The same for a body whose `heartbeat` or `script` {@link saysNothing}: it is ignored with a check
 * of any type.
 */
export function genericRestSchema(type: CheckType) {
  const fields: AnyFields = CHECK_KINDS[type].fields;
  const rest = Object.entries(fields).filter(([name]) => !GENERIC_MEMBERS.includes(name));
  const shape = mapShape(Object.fromEntries(rest), (schema) => schema.optional());
  return genericBody(type, shape);
}

function genericBody(type: CheckType, shape: AnyFields) {
  const checkType = z.literal(type).optional();
  return withCheckRules(type, z.object({ ...shape, ...keptScript(type), checkType }));
}

/**
 * Whether the member that 4.1 requires for a type is `{}` or `''`: what a client sends that must
 * send one and, as the specification shows no field of a heartbeat, has nothing to put in.
 */
export function saysNothing(type: CheckType, body: unknown): boolean {
  const name = GENERIC_MEMBERS.find((member) => member in CHECK_KINDS[type].fields);
  if (name === undefined || !isBody(body)) return false;
  const value = body[name];
  return value === '' || (isBody(value) && Object.keys(value).length === 0);
}

/** A stored check of the type given, as the configuration file holds it. */
export function storedSchema(type: CheckType) {
  const { fields, defaults, required } = CHECK_KINDS[type];
  const shape = mapShape(fields, (schema, name) =>
    name in defaults || (required as readonly string[]).includes(name) ? schema : schema.optional(),
  );
  return z.object({
    id: z.uuid(),
    checkType: z.literal(type),
    ...keptScript(type),
    ...shape,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().nullable(),
  });
}

function mapShape(fields: object, map: (schema: z.ZodType, name: string) => z.ZodType): AnyFields {
  return Object.fromEntries(
    Object.entries(fields as AnyFields).map(([name, schema]) => [name, map(schema, name)]),
  );
}

function withCheckRules(type: CheckType, schema: z.ZodObject<AnyFields>) {
  return withRules(schema, (body) => checkRules(type, body));
}

/**
 * Members that the routes of a type refuse, for its checks have no such thing; `null` says nothing
 * and is taken. The routes of all types drop them as they drop what any type does not have.
 */
export function refusedShape(type: CheckType): AnyFields {
  const { refused = [] }: { refused?: readonly string[] } = CHECK_KINDS[type];
  const error = `expected nothing: a ${type} check has no such member`;
  return Object.fromEntries(
    refused.map((name) => [name, orUnset(z.never({ error }).optional()).optional()]),
  );
}

export type { CheckType, RunnableCheckType };
