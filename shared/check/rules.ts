import { frequencyOffsetRange } from '../rules/schedule.ts';

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

/**
 * The rules of a check that span several members: `frequencyOffset` within the bounds that
 * `frequency` sets (2.2), `degradedResponseTime` not over `maxResponseTime` (contract 3.2).
 * Members that are missing or of a wrong type are left to their own schemas.
 */
export function checkRules(check: Record<string, unknown>): RuleProblem[] {
  return [
    ...offsetProblems(check.frequency, check.frequencyOffset),
    ...LIMIT_PAIRS.flatMap(([lower, upper]) => limitProblems(check, lower, upper)),
  ];
}

/** Limits of which the first must not be over the second (contract 3.2). */
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
