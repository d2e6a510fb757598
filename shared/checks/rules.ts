import type { z } from 'zod';
import { jsonPathProblem } from '#shared/json-path/query.ts';
import { SCRIPT_BYTES } from '#shared/sandbox/script.ts';
import { type CheckType, MULTI_STEP_RUNTIME_IDS } from './enums.ts';
import { frequencyOffsetRange } from './schedule.ts';
import { filePathProblems } from './script-files.ts';

/** A problem that only shows in several members together. */
export interface RuleProblem {
  path: (string | number)[];
  message: string;
}

/**
 * Whether a value has members to look at. Rules that span several members run beside the schemas of
 * each, also for what failed them: they must not trust that a body is an object.
 */
export function isBody(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Adds to a schema what spans several members, told beside the problems of each. */
export function withRules<S extends z.ZodObject>(
  schema: S,
  rules: (body: Record<string, unknown>) => RuleProblem[],
): S {
  return schema.superRefine(
    (body, context) => {
      for (const { path, message } of rules(body)) {
        context.addIssue({ code: 'custom', path, message, input: body });
      }
    },
    { when: ({ value }) => isBody(value) },
  );
}

/**
 * What a check that is sent must keep to beyond the schemas of its members: `frequencyOffset` within
 * the bounds that `frequency` sets (2.2), `degradedResponseTime` not over `maxResponseTime`, and what
 * a check from before a rule may still break. Members that are missing or of a wrong type are left
 * to their own schemas.
 */
export function checkRules(type: CheckType, check: Record<string, unknown>): RuleProblem[] {
  const { request } = check;
  return [
    ...offsetProblems(check.frequency, check.frequencyOffset),
    ...LIMIT_PAIRS.flatMap(([lower, upper]) => limitProblems(check, lower, upper)),
    ...scriptProblems(check),
    ...retryProblems(check.retryStrategy),
    ...runtimeProblems(type, check.runtimeId),
    ...(type === 'BROWSER' || type === 'MULTI_STEP' ? filePathProblems(check) : []),
    ...(isBody(request) ? assertionProblems(request.assertions, ['request', 'assertions']) : []),
  ];
}

/** What a check that is whole must keep to beyond {@link checkRules}: a part of one may lack it. */
export function wholeCheckRules(type: CheckType, check: Record<string, unknown>): RuleProblem[] {
  const { codeBundlePath, dependencies } = check;
  const hasFiles = Array.isArray(dependencies) && dependencies.length > 0;
  if (type !== 'PLAYWRIGHT' || codeBundlePath !== undefined || hasFiles) return [];
  const message = 'expected where the project is, or its files in dependencies';
  return [{ path: ['codeBundlePath'], message }];
}

/** What a check group must keep to, in the same way. */
export function groupRules(group: Record<string, unknown>): RuleProblem[] {
  const { apiCheckDefaults: defaults, retryStrategy } = group;
  const place = ['apiCheckDefaults', 'assertions'];
  return [
    ...scriptProblems(group),
    ...retryProblems(retryStrategy),
    ...(isBody(defaults) ? assertionProblems(defaults.assertions, place) : []),
  ];
}

/** Limits of which the first must not be over the second. */
const LIMIT_PAIRS = [
  ['degradedResponseTime', 'maxResponseTime'],
  ['degradedPacketLossThreshold', 'maxPacketLossThreshold'],
] as const;

/** Whether a member's default depends on another member, as {@link defaultLimits} says. */
export function isLimit(name: string): boolean {
  return LIMIT_PAIRS.some((pair) => (pair as readonly string[]).includes(name));
}

/**
 * The limits that a new check was not given: their defaults, as far as the other limit of the pair
 * lets them, so that `maxResponseTime: 200` alone is not refused for a default that nobody sent.
 */
export function defaultLimits(
  check: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const limits = LIMIT_PAIRS.flatMap(([lower, upper]): [string, unknown][] => [
    [lower, atMost(defaults[lower], check[upper])],
    [upper, atLeast(defaults[upper], check[lower])],
  ]);
  return Object.fromEntries(
    limits.filter(([name]) => name in defaults && check[name] === undefined),
  );
}

function atMost(limit: unknown, upper: unknown): unknown {
  return typeof limit === 'number' && typeof upper === 'number' ? Math.min(limit, upper) : limit;
}

function atLeast(limit: unknown, lower: unknown): unknown {
  return typeof limit === 'number' && typeof lower === 'number' ? Math.max(limit, lower) : limit;
}

function offsetProblems(frequency: unknown, offset: unknown): RuleProblem[] {
  if (!Number.isInteger(frequency) || !Number.isInteger(offset)) return [];
  const range = frequencyOffsetRange(frequency as number);
  if (range.allows(offset as number)) return [];
  return [
    {
      path: ['frequencyOffset'],
      message: `expected ${range.description} with a frequency of ${frequency}`,
    },
  ];
}

function limitProblems(
  check: Record<string, unknown>,
  lower: string,
  upper: string,
): RuleProblem[] {
  const [low, high] = [check[lower], check[upper]];
  if (typeof low !== 'number' || typeof high !== 'number' || low <= high) return [];
  return [{ path: [lower], message: `expected at most ${upper} (${high})` }];
}

const SCRIPT_MEMBERS = ['script', 'localSetupScript', 'localTearDownScript'];

/** A script counts in bytes, and `script` together with what it depends on. */
export function scriptProblems(
  body: Record<string, unknown>,
  members: readonly string[] = SCRIPT_MEMBERS,
): RuleProblem[] {
  const scripts = members.map((name) => ({ name, bytes: bytesOf(body[name]) }));
  const alone = scripts
    .filter(({ bytes }) => bytes > SCRIPT_BYTES)
    .map(({ name, bytes }) => ({ path: [name], message: tooManyBytes('', bytes) }));
  if (alone.length > 0 || !Array.isArray(body.dependencies)) return alone;
  const contents = body.dependencies.map((one: unknown) => (isBody(one) ? one.content : null));
  const bytes = [body.script, ...contents].reduce((sum: number, text) => sum + bytesOf(text), 0);
  if (bytes <= SCRIPT_BYTES) return [];
  return [{ path: ['dependencies'], message: tooManyBytes(' together with script', bytes) }];
}

const tooManyBytes = (beside: string, bytes: number): string =>
  `expected at most ${SCRIPT_BYTES} bytes in UTF-8${beside}, got ${bytes}`;

/** A text that is too long in characters already is left to its schema. */
function bytesOf(text: unknown): number {
  return typeof text === 'string' && text.length <= SCRIPT_BYTES
    ? new TextEncoder().encode(text).byteLength
    : 0;
}

/** `SINGLE_RETRY` is one retry, so a number beside it would mean nothing. */
export function retryProblems(strategy: unknown): RuleProblem[] {
  if (!isBody(strategy) || strategy.type !== 'SINGLE_RETRY') return [];
  if (strategy.maxRetries === undefined) return [];
  const path = ['retryStrategy', 'maxRetries'];
  return [{ path, message: 'expected nothing beside SINGLE_RETRY, which retries once' }];
}

function runtimeProblems(type: CheckType, runtimeId: unknown): RuleProblem[] {
  if (type !== 'MULTI_STEP' || typeof runtimeId !== 'string') return [];
  if ((MULTI_STEP_RUNTIME_IDS as readonly string[]).includes(runtimeId)) return [];
  const known = MULTI_STEP_RUNTIME_IDS.join(', ');
  const message = `expected a runtime that has multi-step checks (${known}), got ${runtimeId}`;
  return [{ path: ['runtimeId'], message }];
}

/** A JSONPath that does not parse would fail every run; with a template in it none is known yet. */
function assertionProblems(assertions: unknown, place: string[]): RuleProblem[] {
  if (!Array.isArray(assertions)) return [];
  return assertions.flatMap((assertion: unknown, index) => {
    if (!isBody(assertion)) return [];
    const { source, property } = assertion;
    if (typeof source !== 'string' || !source.startsWith('JSON_')) return [];
    if (typeof property !== 'string' || property.trim() === '' || property.includes('{{'))
      return [];
    const problem = jsonPathProblem(property);
    if (problem === null) return [];
    return [{ path: [...place, index, 'property'], message: problem }];
  });
}
