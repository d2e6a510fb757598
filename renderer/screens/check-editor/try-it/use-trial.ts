import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { api } from '#renderer/api/client.ts';
import { ApiProblem } from '#renderer/api/problem.ts';
import type { Members } from '#renderer/parts/form/members.ts';
import type { CheckType } from '#shared/checks/enums.ts';
import type { ResultDetails } from '#shared/results/details.ts';
import type { ShownTestResult } from '#shared/sessions/test-session-view.ts';

/** What a run of a check as it is typed found. */
export type TrialResult = ShownTestResult & ResultDetails;

export interface Trial {
  isRunning: boolean;
  /** When the run that is under way was begun, epoch ms. */
  since: number;
  /** Of the last run; it stays while the next one is under way. */
  result: TrialResult | undefined;
  /** Runs a body; what is wrong with it is thrown. @throws ApiProblem */
  run(body: Members): Promise<void>;
  cancel(): void;
}

/** How long one request waits for the end, seconds; then the next one goes on. */
const WAIT_SECONDS = 30;
const STILL_RUNNING = 408;

/**
 * Runs a check that is not saved, as a test session.
 *
 * @param checkId of the check that it would be in place of
 */
export function useTrials(checkType: CheckType, checkId: string | undefined): Trial {
  const [result, setResult] = useState<TrialResult>();
  const [isRunning, setRunning] = useState(false);
  const [since, setSince] = useState(0);
  const latest = useRef<AbortController>(null);
  useEffect(() => () => latest.current?.abort(), []);
  return {
    isRunning,
    since,
    result,
    cancel: () => latest.current?.abort(),
    async run(body) {
      latest.current?.abort();
      const stop = new AbortController();
      latest.current = stop;
      setRunning(true);
      setSince(Date.now());
      try {
        const found = await carryOut({ ...body, checkType }, checkId, stop.signal);
        if (!stop.signal.aborted) setResult(found);
      } catch (error) {
        if (!stop.signal.aborted) throw error;
      } finally {
        if (latest.current === stop) setRunning(false);
      }
    },
  };
}

async function carryOut(
  body: Record<string, unknown>,
  checkId: string | undefined,
  signal: AbortSignal,
): Promise<TrialResult> {
  const session = await api('POST /app/checks/try', { query: { checkId }, body, signal });
  const params = { testSessionId: session.testSessionId };
  const cancel = () =>
    void api('POST /v1/test-sessions/{testSessionId}/cancel', { params, body: {} });
  signal.addEventListener('abort', cancel);
  await ended(params, signal);
  signal.removeEventListener('abort', cancel);
  const [{ testSessionResultId } = { testSessionResultId: '' }] = session.results;
  return api('GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}', {
    params: { ...params, testSessionResultId },
    signal,
  });
}

async function ended(params: { testSessionId: string }, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      const query = { maxWaitSeconds: WAIT_SECONDS };
      await api('GET /v1/test-sessions/{testSessionId}/completion', { params, query, signal });
      return;
    } catch (error) {
      if (!(error instanceof ApiProblem && error.status === STILL_RUNNING)) throw error;
    }
  }
}

const TrialContext = createContext<Trial | null>(null);
export const TrialProvider = TrialContext.Provider;

/** The runs of the check that is edited. */
export function useTrial(): Trial {
  const trial = useContext(TrialContext);
  if (trial === null) throw new Error('There is no editor of a check around this.');
  return trial;
}
