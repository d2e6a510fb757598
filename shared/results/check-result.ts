import { z } from 'zod';
import {
  CHECK_TYPES,
  type CheckType,
  DETAIL_KEYS,
  type DetailKey,
  RESULT_TYPES,
  type StoredResultType,
} from '#shared/checks/enums.ts';
import { errorGroupKey } from '#shared/error-groups/error-group.ts';
import type { ResultFlags, RunFailure, RunMetrics } from '#shared/runs/protocol.ts';

/** A finished run as it is kept: the numbers in columns, the detail as text beside them. */
export interface StoredResult extends ResultFlags {
  /**
   * UUIDv7 whose time is `createdAt`, or, where a script or template may have read the id before, the
   * time when its attempt began.
   */
  id: string;
  checkId: string;
  checkType: CheckType;
  resultType: StoredResultType;
  /** The slot that was due, epoch ms; null for a run that nobody scheduled. */
  slot: number | null;
  /** The location asked for, and the runner that did it. */
  runLocation: string;
  ranOn: string;
  /** Epoch milliseconds. */
  startedAt: number;
  stoppedAt: number;
  /** When the result was settled. Results of a check are listed in this order. */
  createdAt: number;
  /** Milliseconds. */
  responseTime: number;
  /** Shared by every location of one parallel run. */
  checkRunId: number;
  /** Retries before this one: 0 on a first try. */
  attempts: number;
  /** Groups the attempts of one run. */
  sequenceId: string;
  statusCode: number | null;
  failure: RunFailure | null;
  metrics: RunMetrics;
  /** As in a run result. */
  laterPages?: readonly RunMetrics[] | undefined;
}

/** What the API shows of it. */
export type ShownResult = Omit<StoredResult, 'slot' | 'statusCode' | 'metrics' | 'laterPages'>;

const freeForm = z.record(z.string(), z.unknown());
const instant = z.iso.datetime();

/** Details that every result has, null with other types. */
const ALWAYS_SHOWN = [
  'apiCheckResult',
  'browserCheckResult',
  'multiStepCheckResult',
  'playwrightCheckResult',
] as const satisfies DetailKey[];
type AlwaysShown = (typeof ALWAYS_SHOWN)[number];
type ShownWithItsType = Exclude<DetailKey, AlwaysShown>;

const isAlwaysShown = (key: DetailKey): key is AlwaysShown =>
  ALWAYS_SHOWN.some((one) => one === key);

const detail = freeForm.nullable();
const alwaysShown = membersOf(ALWAYS_SHOWN, detail);
const shownWithTheirType = membersOf(
  DETAIL_KEYS.filter((key): key is ShownWithItsType => !isAlwaysShown(key)),
  detail.optional(),
);

function membersOf<K extends string, T>(names: readonly K[], value: T): Record<K, T> {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<K, T>;
}

/** A check result as the API answers it (specification 2.7). */
export const checkResult = z.object({
  id: z.string(),
  name: z.string(),
  checkId: z.string(),
  checkType: z.enum(CHECK_TYPES),
  hasFailures: z.boolean(),
  hasErrors: z.boolean(),
  isDegraded: z.boolean().nullable(),
  isCancelled: z.boolean(),
  overMaxResponseTime: z.boolean().nullable(),
  runLocation: z.string(),
  ranOn: z.string(),
  startedAt: instant.nullable(),
  stoppedAt: instant.nullable(),
  created_at: instant,
  responseTime: z.number(),
  checkRunId: z.number(),
  attempts: z.number(),
  resultType: z.enum(RESULT_TYPES),
  sequenceId: z.string().nullable(),
  traceId: z.string().nullable(),
  errorGroupIds: z.array(z.string()),
  failure: z.object({ cause: z.string(), message: z.string() }).nullable(),
  ...alwaysShown,
  ...shownWithTheirType,
});
export type CheckResult = z.output<typeof checkResult>;

/** Members of kinds of checks that do not exist here: clients may name them, and read null. */
export const FOREIGN_FIELDS = [
  'agenticCheckResult',
  'tracerouteCheckResult',
  'grpcCheckResult',
  'sslCheckResult',
] as const;

/** Members that `fields=` of v2 check results may select. */
export const RESULT_FIELDS = [
  ...(Object.keys(checkResult.shape) as [keyof CheckResult, ...(keyof CheckResult)[]]),
  'createdAt',
  ...FOREIGN_FIELDS,
] as const;
export type ResultField = (typeof RESULT_FIELDS)[number];

const NO_DETAIL = membersOf(ALWAYS_SHOWN, null);

const iso = (ms: number) => new Date(ms).toISOString();

/**
 * The API's view of a stored result. `detail` is the stored JSON text, or null where only the
 * numbers are left; `name` is the check's name.
 */
export function viewResult(result: ShownResult, name: string, detail: string | null): CheckResult {
  return {
    id: result.id,
    name,
    checkId: result.checkId,
    checkType: result.checkType,
    hasFailures: result.hasFailures,
    hasErrors: result.hasErrors,
    isDegraded: result.isDegraded,
    isCancelled: result.failure?.cause === 'CANCELLED',
    overMaxResponseTime: result.overMaxResponseTime,
    runLocation: result.runLocation,
    ranOn: result.ranOn,
    startedAt: iso(result.startedAt),
    stoppedAt: iso(result.stoppedAt),
    created_at: iso(result.createdAt),
    responseTime: Math.round(result.responseTime),
    checkRunId: result.checkRunId,
    attempts: result.attempts,
    resultType: result.resultType,
    sequenceId: result.sequenceId,
    traceId: null,
    errorGroupIds: errorGroupIdsOf(result),
    failure: result.failure,
    ...NO_DETAIL,
    ...(detail === null ? {} : (JSON.parse(detail) as Partial<CheckResult>)),
  };
}

function errorGroupIdsOf({ checkId, hasFailures, failure }: ShownResult): string[] {
  return hasFailures && failure ? [errorGroupKey(checkId, failure.message).id] : [];
}

/** Whether any of them is of the detail. */
export function needDetail(fields: readonly ResultField[]): boolean {
  const details: readonly string[] = DETAIL_KEYS;
  return fields.some((field) => details.includes(field));
}

/** Only the members asked for; `createdAt` is the other name of `created_at`. */
export function selectFields(result: CheckResult, fields: readonly ResultField[]) {
  const members: Partial<Record<ResultField, unknown>> = {
    ...result,
    createdAt: result.created_at,
  };
  return Object.fromEntries(fields.map((field) => [field, members[field] ?? null]));
}
