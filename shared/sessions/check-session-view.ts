import { z } from 'zod';
import { uiLink } from '#shared/api/ui-link.ts';
import { CHECK_TYPES, STORED_RESULT_TYPES } from '#shared/checks/enums.ts';
import {
  ENDED_STATUSES,
  RUN_SOURCES,
  SESSION_STATUSES,
  type SessionResult,
  type SessionStatus,
  type StoredSession,
} from './check-session.ts';

/** Versions of the API that show sessions; v1 has no CANCELLED. */
export type SessionVersion = 'v1' | 'v2';

const instant = z.iso.datetime();
const RUNNABLE_TYPES = CHECK_TYPES.filter((type) => type !== 'HEARTBEAT');

const sessionResult = z.object({
  checkResultId: z.guid(),
  checkResultLink: z.url(),
  checkId: z.guid(),
  checkType: z.enum(RUNNABLE_TYPES),
  name: z.string(),
  runLocation: z.string(),
  resultType: z.enum(STORED_RESULT_TYPES),
  hasErrors: z.boolean(),
  hasFailures: z.boolean(),
  isDegraded: z.boolean(),
  aborted: z.boolean(),
  isCancelled: z.boolean(),
  responseTime: z.number().nullable(),
  startedAt: instant.nullable(),
  stoppedAt: instant.nullable(),
});

const session = z.object({
  checkSessionId: z.guid(),
  checkSessionLink: z.url(),
  checkId: z.guid(),
  checkType: z.enum(RUNNABLE_TYPES),
  name: z.string(),
  status: z.enum(SESSION_STATUSES),
  startedAt: instant,
  /** Null until it is over. */
  stoppedAt: instant.nullable(),
  /** Milliseconds; grows until it is over. */
  timeElapsed: z.number(),
  runLocations: z.array(z.string()),
  runSource: z.enum(RUN_SOURCES),
});

/** The answers of one version: what a trigger made, a session with its results, one that is over. */
function schemasOf(version: SessionVersion) {
  const shown = (statuses: readonly SessionStatus[]) =>
    z.enum(statuses.filter((status) => shownStatus(status, version) === status));
  const made = session.extend({ status: shown(SESSION_STATUSES) });
  const whole = made.extend({ results: z.array(sessionResult) });
  return {
    triggered: z.object({ sessions: z.array(made) }),
    session: whole,
    ended: whole.extend({ status: shown(ENDED_STATUSES), stoppedAt: instant }),
  };
}

/** Schemas of the answers (specification 2.9). */
export const SESSION_SCHEMAS = {
  v1: schemasOf('v1'),
  v2: schemasOf('v2'),
} satisfies { [V in SessionVersion]: object };

function shownStatus(status: SessionStatus, version: SessionVersion): SessionStatus {
  return status === 'CANCELLED' && version === 'v1' ? 'TIMED_OUT' : status;
}

export interface SessionViewOptions {
  version: SessionVersion;
  /** Where links begin. */
  baseUrl: string;
  /** Epoch ms; what the time of a session that runs is counted to. */
  now: number;
}

const iso = (ms: number) => new Date(ms).toISOString();

/** A session without its results, as a trigger answers it. */
export function viewSession(stored: StoredSession, { version, baseUrl, now }: SessionViewOptions) {
  const { id, checkId, checkType, name, createdAt, stoppedAt, runLocations, runSource } = stored;
  return {
    checkSessionId: id,
    checkSessionLink: uiLink(baseUrl, `/checks/${checkId}/sessions/${id}`),
    checkId,
    checkType,
    name,
    status: shownStatus(stored.status, version),
    startedAt: iso(createdAt),
    stoppedAt: stoppedAt === null ? null : iso(stoppedAt),
    timeElapsed: Math.max(0, (stoppedAt ?? now) - createdAt),
    runLocations: [...runLocations],
    runSource,
  };
}

/** A session with what has come in so far (2.9). */
export function viewSessionWithResults(stored: StoredSession, options: SessionViewOptions) {
  const results = stored.results.map((result) => viewResult(result, stored, options.baseUrl));
  return { ...viewSession(stored, options), results };
}

function viewResult(
  result: SessionResult,
  { checkId, checkType, name }: StoredSession,
  baseUrl: string,
) {
  return {
    checkResultId: result.checkResultId,
    checkResultLink: uiLink(baseUrl, `/checks/${checkId}/results/${result.checkResultId}`),
    checkId,
    checkType,
    name,
    runLocation: result.runLocation,
    resultType: result.resultType,
    hasErrors: result.hasErrors,
    hasFailures: result.hasFailures,
    isDegraded: result.isDegraded,
    // Only runs that came to an end of their own leave a result.
    aborted: false,
    isCancelled: false,
    responseTime: Math.round(result.responseTime),
    startedAt: iso(result.startedAt),
    stoppedAt: iso(result.stoppedAt),
  };
}
