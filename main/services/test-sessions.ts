import type { z } from 'zod';
import type { TestSessionsPort } from '#main/sessions/sessions-port.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { History, TestSessionPage, TestSessionQuery } from '#main/store/history/history.ts';
import { rangeProblems } from '#shared/api/time-range.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import type { RunnableCheckType } from '#shared/checks/enums.ts';
import type { Members } from '#shared/checks/schemas.ts';
import type { Clock } from '#shared/clock.ts';
import { DEFAULT_LOCATION, locationsOf } from '#shared/runs/locations.ts';
import {
  type StoredTestSession,
  TEST_SESSION_STATUSES,
  type TestSessionResult,
} from '#shared/sessions/test-session.ts';
import type { testSessionBody } from '#shared/sessions/test-session-body.ts';
import { signingOf } from './artifacts.ts';
import { refuseForeignSequences } from './check-sessions.ts';
import type { Checks } from './checks.ts';
import { chooseChecks, refuseUnknownLocation } from './choose-checks.ts';
import { notFound, refuseProblems } from './service-error.ts';

interface TestSessionParts {
  configuration: Pick<Configuration, 'checks' | 'groups'>;
  history: Pick<History, 'listTestSessions' | 'findTestResult'>;
  testSessions: TestSessionsPort;
  checks: Pick<Checks, 'unsaved'>;
  artifactKey: Uint8Array;
  clock: Clock;
}

/** Which test sessions a list has; those by what no test session has here match none. */
export interface TestSessionFilters extends Omit<TestSessionQuery, 'accountId'> {
  /** Who started it; none: any. */
  providers: readonly string[];
  users: readonly string[];
}

/** A result of a test session, and its detail as JSON text where there is one. */
export interface TestResultWithDetail {
  result: TestSessionResult;
  detail: string | null;
}

/** Runs of checks apart from their schedule and history. */
export class TestSessions {
  readonly #parts: TestSessionParts;

  constructor(parts: TestSessionParts) {
    this.#parts = parts;
  }

  /**
   * Runs the checks that match the target once.
   *
   * @throws ServiceError NOT_FOUND where none matches, INVALID for a location where nothing can run;
   *   TooManySessions where too many are open
   */
  async trigger(body: z.output<typeof testSessionBody>): Promise<StoredTestSession> {
    const { target, name, runLocation, environmentVariables, retryStrategy, metadata } = body;
    const { refreshCache } = body;
    const chosen = await chooseChecks(target, this.#parts.configuration, target);
    const checks = chosen.flatMap((one) => one.checks);
    refuseUnknownLocation(runLocation, checks, 'payload');
    const variables = environmentVariables ?? [];
    const options = { name, runLocation, variables, retryStrategy, refreshCache, metadata };
    return this.#parts.testSessions.trigger(checks, options);
  }

  /**
   * Runs a check once that is not saved, without retries, at the first of its locations.
   *
   * @param checkId of the check that it would be in place of
   * @throws ServiceError NOT_FOUND for that; INVALID where it names what does not exist; TooManySessions
   */
  async tryCheck(
    type: RunnableCheckType,
    body: Members,
    checkId?: string,
  ): Promise<StoredTestSession> {
    const check = (await this.#parts.checks.unsaved(type, body, checkId)) as RunnableCheck;
    const [runLocation = DEFAULT_LOCATION] = locationsOf(check, null).run;
    return this.#parts.testSessions.trigger([check], {
      ...{ name: check.name, runLocation, variables: [], retryStrategy: null, metadata: {} },
      isUnsaved: true,
    });
  }

  /**
   * Newest first, as a page of entries.
   *
   * @throws ServiceError INVALID where the range of times is none
   */
  async list(filters: TestSessionFilters, accountId: string): Promise<TestSessionPage> {
    const { limit, from, to, statuses, branches, textSearch, before, errorGroupId } = filters;
    const problems = rangeProblems({ from: from ?? 0, to: to ?? Number.POSITIVE_INFINITY });
    refuseProblems({ source: 'query', problems });
    if (!canMatch(filters)) return { entries: Buffer.from('[]'), length: 0, nextBefore: null };
    // A list that is sent empty filters nothing, as with the others.
    const wanted = statuses.length === 0 ? TEST_SESSION_STATUSES : statuses;
    const asked = { accountId, limit, from, to, statuses: wanted, branches, textSearch, before };
    const query = { ...asked, errorGroupId };
    return this.#parts.history.listTestSessions(query);
  }

  /** @throws ServiceError NOT_FOUND */
  async find(id: string): Promise<StoredTestSession> {
    return found(await this.#parts.testSessions.find(id));
  }

  /**
   * The test session once it is over, or as it stands after `waitMs`.
   *
   * @throws ServiceError NOT_FOUND
   */
  async waitFor(id: string, waitMs: number): Promise<StoredTestSession> {
    return found(await this.#parts.testSessions.waitFor(id, waitMs));
  }

  /** @throws ServiceError NOT_FOUND */
  async findResult(
    sessionId: string,
    resultId: string,
    baseUrl: string,
  ): Promise<TestResultWithDetail> {
    const links = signingOf(this.#parts, baseUrl);
    const result = await this.#parts.history.findTestResult({ sessionId, resultId, links });
    if (result === null) throw notFound('No such test session result.');
    return result;
  }

  /**
   * Ends a test session; one that is over stays as it is.
   *
   * @param sequenceIds sequences that the session must have results of
   * @throws ServiceError NOT_FOUND for the session, and for a sequence that is not its own
   */
  async cancel(id: string, sequenceIds: readonly string[]): Promise<void> {
    const { results } = await this.find(id);
    refuseForeignSequences(sequenceIds, results);
    await this.#parts.testSessions.cancel(id);
  }
}

/** Whether filters by what no test session has here are left open. */
function canMatch({ providers, users }: TestSessionFilters): boolean {
  const isProvider = providers.length === 0 || providers.includes('API');
  return isProvider && users.length === 0;
}

function found(session: StoredTestSession | null): StoredTestSession {
  if (session === null) throw notFound('No such test session.');
  return session;
}
