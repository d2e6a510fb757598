import { z } from 'zod';
import { uiLink } from '#shared/api/ui-link.ts';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { checkResult } from '#shared/results/check-result.ts';
import {
  type StoredTestSession,
  TEST_SESSION_STATUSES,
  type TestSessionResult,
} from './test-session.ts';
import { testMetadata } from './test-session-body.ts';

const instant = z.iso.datetime();
const status = z.enum(TEST_SESSION_STATUSES);
const ENDED = TEST_SESSION_STATUSES.filter((one) => one !== 'RUNNING');

const resultMembers = z.object({
  testSessionResultId: z.guid(),
  testSessionResultLink: z.url(),
  checkId: z.guid(),
  checkType: z.enum(CHECK_TYPES),
  name: z.string(),
  runLocation: z.string(),
  errorGroupIds: z.array(z.string()),
  resultType: z.enum(['FINAL', 'ATTEMPT', 'PENDING']),
  status,
  hasErrors: z.boolean(),
  hasFailures: z.boolean(),
  isDegraded: z.boolean(),
  aborted: z.boolean(),
  responseTime: z.number().nullable(),
  startedAt: instant.nullable(),
  stoppedAt: instant.nullable(),
});

/** A test session with its results. */
export const testSession = z.object({
  testSessionId: z.guid(),
  testSessionLink: z.url(),
  name: z.string(),
  status,
  errorGroupIds: z.array(z.string()),
  startedAt: instant,
  stoppedAt: instant.nullable(),
  /** Milliseconds; grows until it is over. */
  timeElapsed: z.number(),
  metadata: testMetadata,
  results: z.array(resultMembers),
});

/** A test session that is over. */
export const endedTestSession = testSession.extend({ status: z.enum(ENDED), stoppedAt: instant });

const { shape } = checkResult;
const details = {
  apiCheckResult: shape.apiCheckResult,
  browserCheckResult: shape.browserCheckResult,
  multiStepCheckResult: shape.multiStepCheckResult,
  playwrightCheckResult: shape.playwrightCheckResult,
  tcpCheckResult: shape.tcpCheckResult,
  dnsCheckResult: shape.dnsCheckResult,
  icmpCheckResult: shape.icmpCheckResult,
};

/** One result with its detail. */
export const testSessionResult = resultMembers.extend({
  id: z.guid(),
  privateLocationId: z.null(),
  filePath: z.null(),
  isCancelled: z.boolean(),
  overMaxResponseTime: z.boolean(),
  attempts: z.int().min(0),
  sequenceId: z.guid().nullable(),
  scheduleError: z.null(),
  traceId: z.null(),
  created_at: instant,
  updated_at: instant.nullable(),
  ...details,
});

export type ShownTestResult = Omit<z.output<typeof testSessionResult>, keyof typeof details>;

const iso = (ms: number) => new Date(ms).toISOString();
const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));

export interface TestSessionViewOptions {
  /** Where links begin. */
  baseUrl: string;
  /** Epoch ms; what the time of a session that runs is counted to. */
  now: number;
}

export function viewTestSession(stored: StoredTestSession, options: TestSessionViewOptions) {
  const { id, name, createdAt, stoppedAt, metadata, results } = stored;
  const { baseUrl, now } = options;
  return {
    testSessionId: id,
    testSessionLink: uiLink(baseUrl, `/test-sessions/${id}`),
    name,
    status: stored.status,
    errorGroupIds: [...new Set(results.flatMap(errorGroupIdsOf))],
    startedAt: iso(createdAt),
    stoppedAt: isoOrNull(stoppedAt),
    timeElapsed: Math.max(0, (stoppedAt ?? now) - createdAt),
    metadata,
    results: results.map((result) => viewMembers(result, id, baseUrl)),
  };
}

function errorGroupIdsOf({ errorGroupId }: TestSessionResult): string[] {
  return errorGroupId === undefined ? [] : [errorGroupId];
}

function viewMembers(result: TestSessionResult, sessionId: string, baseUrl: string) {
  const { id, checkId, checkType, name, runLocation, resultType, responseTime } = result;
  return {
    testSessionResultId: id,
    testSessionResultLink: uiLink(baseUrl, `/test-sessions/${sessionId}/results/${id}`),
    checkId,
    checkType,
    name,
    runLocation,
    errorGroupIds: errorGroupIdsOf(result),
    resultType,
    status: result.status,
    hasErrors: result.hasErrors,
    hasFailures: result.hasFailures,
    isDegraded: result.isDegraded,
    // Whatever has begun comes to an end of its own.
    aborted: false,
    responseTime: responseTime === null ? null : Math.round(responseTime),
    startedAt: isoOrNull(result.startedAt),
    stoppedAt: isoOrNull(result.stoppedAt),
  };
}

/** One result, without the member of its detail where there is one to stand beside it. */
export function viewTestResult(result: TestSessionResult, sessionId: string, baseUrl: string) {
  return {
    ...viewMembers(result, sessionId, baseUrl),
    id: result.id,
    privateLocationId: null,
    filePath: null,
    isCancelled: result.status === 'CANCELLED',
    overMaxResponseTime: result.overMaxResponseTime,
    attempts: result.attempts,
    sequenceId: result.sequenceId,
    scheduleError: null,
    traceId: null,
    created_at: iso(result.createdAt),
    updated_at: isoOrNull(result.stoppedAt),
  };
}
