import { z } from 'zod';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import {
  RUN_SOURCES,
  SESSION_STATUSES,
  type StoredSession,
} from '#shared/sessions/check-session.ts';
import { runState } from './check-state.ts';

/** Epoch ms. */
const instant = z.int();

/** A check session as lists and live events have it: small, as one trigger may make 10,000. */
export const sessionSummary = z.object({
  id: z.string(),
  checkId: z.string(),
  checkType: z.enum(CHECK_TYPES),
  /** Of the check, when it was triggered. */
  name: z.string(),
  status: z.enum(SESSION_STATUSES),
  runSource: z.enum(RUN_SOURCES),
  createdAt: instant,
  /** Null until it is over. */
  stoppedAt: instant.nullable(),
  runLocations: z.array(z.string()),
  /** In the order of their arrival. */
  results: z.array(
    z.object({
      id: z.string(),
      location: z.string(),
      isFinal: z.boolean(),
      state: z.enum(['failing', 'degraded', 'passing', 'inconclusive']),
      /** Milliseconds. */
      responseTime: z.number(),
    }),
  ),
});
export type SessionSummary = z.output<typeof sessionSummary>;

export function summarizeSession(session: StoredSession): SessionSummary {
  const { id, checkId, checkType, name, status, runSource, createdAt, stoppedAt } = session;
  return {
    ...{ id, checkId, checkType, name, status, runSource, createdAt, stoppedAt },
    runLocations: [...session.runLocations],
    results: session.results.map((result) => ({
      id: result.checkResultId,
      location: result.runLocation,
      isFinal: result.resultType === 'FINAL',
      state: runState(result),
      responseTime: Math.round(result.responseTime),
    })),
  };
}

/** What one trigger made. */
export const batchSummary = z.object({
  /** Of one of its sessions. */
  id: z.string(),
  createdAt: instant,
  runSource: z.enum(RUN_SOURCES),
  /** Of its first checks. */
  names: z.array(z.string()),
  count: z.int(),
  /** How many are not over, and how the others ended. */
  open: z.int(),
  passed: z.int(),
  degraded: z.int(),
  failed: z.int(),
  cancelled: z.int(),
});
export type BatchSummary = z.output<typeof batchSummary>;
