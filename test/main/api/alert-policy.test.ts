import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { uuidAt } from '#main/platform/uuid-at.ts';
import { OutcomeReader } from '#main/services/outcome-reader.ts';
import type { PolicySummary } from '#shared/alerting/policy-summary.ts';
import type { ErrorBody } from '#shared/api/errors.ts';
import type { Check } from '#shared/checks/check.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { alertingCheck } from '../../fixtures/alert-world.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeGroup } from '../../fixtures/groups.ts';
import { makeAlert } from '../store/alert-records.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FROM = NOW - 24 * HOUR;
const PERIOD = { from: new Date(FROM).toISOString(), to: new Date(NOW).toISOString() };
const check = alertingCheck();

let api: Harness;
beforeEach(async () => {
  api = await startApi();
  await api.configuration.checks.put(check);
});
afterEach(() => api.close());

interface Simulation {
  checks: number;
  ofChecks: number;
  outcomes: number;
  current: PolicySummary;
  simulated: PolicySummary;
  laterMs: number | null;
}

const post = (body: object) => api.call('POST', '/app/alert-policy/simulate', { body });
const simulate = async (body: object) =>
  (await post({ checkId: check.id, ...PERIOD, ...body })).body as Simulation;

/** Runs a minute apart, a letter each: `F` fails. Several letters in brackets are one parallel run. */
async function keepRuns(story: string, checkId = check.id, from = FROM): Promise<void> {
  const runs = story.match(/\[\w+\]|\w/g) ?? [];
  const results = runs.flatMap((run, minute) =>
    [...run.replace(/\W/g, '')].map((letter, place) => ({
      result: resultOf(letter, { checkId, at: from + minute * MINUTE + place, run: minute }),
      detail: '{}',
    })),
  );
  await api.history.write({ results });
}

function resultOf(letter: string, of: { checkId: string; at: number; run: number }): StoredResult {
  const { checkId, at, run } = of;
  return {
    id: uuidAt(at),
    checkId,
    checkType: 'URL',
    resultType: 'FINAL',
    slot: null,
    runLocation: 'eu-west-1',
    ranOn: 'embedded',
    startedAt: at,
    stoppedAt: at,
    createdAt: at,
    responseTime: 1,
    checkRunId: run,
    attempts: 0,
    sequenceId: uuidAt(at),
    statusCode: 200,
    failure: null,
    metrics: {},
    hasFailures: letter === 'F',
    hasErrors: letter === 'i',
    isDegraded: letter === 'D',
    overMaxResponseTime: false,
  };
}

const types = ({ notifications }: PolicySummary) => notifications.map(({ type }) => type);

describe('a policy is tried on the past', () => {
  test('and compared with the one that there is', async () => {
    await keepRuns('PFPFFFFPP');
    const answer = await simulate({
      alertSettings: { runBasedEscalation: { failedRunThreshold: 3 } },
    });
    expect(types(answer.current)).toEqual([
      'ALERT_FAILURE',
      'ALERT_RECOVERY',
      'ALERT_FAILURE',
      'ALERT_RECOVERY',
    ]);
    expect(answer).toMatchObject({
      checks: 1,
      outcomes: 9,
      current: { count: 4, woken: 2, withheld: 0, delayOfFirstMs: 0 },
      simulated: {
        count: 2,
        woken: 1,
        firstFailureAt: new Date(FROM + MINUTE).toISOString(),
        firstFailureToldAt: new Date(FROM + 5 * MINUTE).toISOString(),
        delayOfFirstMs: 4 * MINUTE,
      },
      laterMs: 4 * MINUTE,
    });
    expect(answer.simulated.notifications[0]).toEqual({
      at: new Date(FROM + 5 * MINUTE).toISOString(),
      checkId: check.id,
      type: 'ALERT_FAILURE_REMAIN',
      occasion: 'run',
      reminderSequence: 0,
    });
  });

  test('with the results of a run at several locations as one', async () => {
    await keepRuns('[PP][PF][PP]');
    const answer = await simulate({
      alertSettings: { parallelRunFailureThreshold: { enabled: true, percentage: 60 } },
    });
    expect([answer.current.count, answer.simulated.count]).toEqual([2, 0]);
  });

  test('with other settings of flapping', async () => {
    await keepRuns('FPFPFPFPFP');
    const answer = await simulate({ flapping: { enabled: false } });
    expect([answer.current.count, answer.simulated.count]).toEqual([5, 10]);
  });

  test('over a time without runs, reminders and all', async () => {
    await keepRuns('F');
    const reminders = { amount: 100_000, interval: 1 };
    const answer = await simulate({ alertSettings: { reminders } });
    expect(answer.simulated.count).toBe(24 * 60);
    expect(answer.simulated.notifications).toHaveLength(1_000);
  });

  test('of heartbeats too', async () => {
    const heartbeat = makeCheck('HEARTBEAT');
    await api.configuration.checks.put(heartbeat);
    const states = ['RECEIVED', 'FAILING', 'FAILING', 'GRACE'] as const;
    const heartbeatEvents = states.map((state, n) => ({
      id: `018f0000-0000-7000-8000-00000000000${n}`,
      checkId: heartbeat.id,
      state,
      timestamp: FROM + n * HOUR,
      source: null,
      userAgent: null,
    }));
    await api.history.write({ heartbeatEvents });
    const answer = await simulate({ checkId: heartbeat.id });
    expect(types(answer.current)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY']);
  });

  test('over several checks, in the order of time', async () => {
    const other = { ...check, id: '4c0f6a52-8f0e-4a57-9d53-6c1b1d0f7a02', muted: true };
    await api.configuration.checks.put(other);
    await keepRuns('PPFP');
    await keepRuns('PFFP', other.id);
    const { current, checks } = await simulate({
      checkId: undefined,
      checkIds: [check.id, other.id, other.id],
    });
    expect(checks).toBe(2);
    expect(current.notifications.map(({ checkId }) => checkId)).toEqual([
      other.id,
      check.id,
      check.id,
      other.id,
    ]);
  });

  test('without a check, of all that follow the account, those that alerted most first', async () => {
    const others = [2, 3, 4, 5].map((n) => ({
      ...check,
      useGlobalAlertSettings: true,
      id: `4c0f6a52-8f0e-4a57-9d53-6c1b1d0f7a0${n}`,
    }));
    const [quiet, noisy, inGroup, paused] = others as [Check, Check, Check, Check];
    await api.configuration.checks.put(quiet);
    await api.configuration.checks.put(noisy);
    await api.configuration.groups.put(makeGroup('v2', { alertSettings: {} }, 7));
    await api.configuration.checks.put({ ...inGroup, groupId: 7 });
    await api.configuration.checks.put({ ...paused, activated: false });
    for (const [minutes, { id }] of [check, ...others].entries()) {
      await keepRuns('PFP', id, FROM + minutes * MINUTE);
    }
    await api.history.write({ alerts: [makeAlert({ checkId: noisy.id, createdAt: FROM })] });
    const answer = await simulate({ checkId: undefined });
    expect(answer).toMatchObject({ checks: 2, ofChecks: 2, outcomes: 6 });
    expect(answer.current).toMatchObject({ count: 4, woken: 2 });
    const told = new Set(answer.current.notifications.map(({ checkId }) => checkId));
    expect(told).toEqual(new Set([quiet.id, noisy.id]));
  });

  test('over more results than are read at once', async () => {
    await keepRuns('F'.repeat(1_200) + 'P'.repeat(200));
    const { outcomes, current } = await simulate({});
    expect(outcomes).toBe(1_400);
    expect(types(current)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY']);
  });
});

describe('a simulation', () => {
  /** Until it is let go on, what is read of the history waits. */
  function holdHistory() {
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const list = api.history.listOutcomes.bind(api.history);
    let calls = 0;
    api.history.listOutcomes = async (query) => {
      calls += 1;
      asked.resolve();
      await held.promise;
      return list(query);
    };
    return { asked: asked.promise, letGo: held.resolve, countCalls: () => calls };
  }

  test('ends when the client hangs up, and the next one goes on', async () => {
    await keepRuns('F'.repeat(1_200));
    const { asked, letGo, countCalls } = holdHistory();
    const opened = Promise.withResolvers<Socket>();
    const noteSocket = (message: unknown) => opened.resolve((message as { socket: Socket }).socket);
    subscribe('http.server.request.start', noteSocket);
    const abort = new AbortController();
    const hungUp = fetch(`${api.url}/app/alert-policy/simulate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ checkId: check.id, ...PERIOD }),
      signal: abort.signal,
    }).catch((error: Error) => error.name);
    const socket = await opened.promise;
    unsubscribe('http.server.request.start', noteSocket);
    await asked;
    const closed = once(socket, 'close');
    abort.abort();
    expect(await hungUp).toBe('AbortError');
    await closed;
    letGo();
    expect((await simulate({})).outcomes).toBe(1_200);
    // One slice of the first, and all three of the second.
    expect(countCalls()).toBe(4);
  });

  test('is one at a time; four wait, and the next is sent away', async () => {
    const { asked, letGo, countCalls } = holdHistory();
    const first = simulate({});
    await asked;
    const others = Array.from({ length: 5 }, () => post({ checkId: check.id, ...PERIOD }));
    const [refused] = await Promise.all([Promise.race(others)]);
    expect(refused?.status).toBe(429);
    expect(refused?.headers.get('retry-after')).toBe('5');
    expect(countCalls()).toBe(1);
    letGo();
    await first;
    const answers = await Promise.all(others);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 429]);
  });
});

describe('refused is', () => {
  const long = new Date(NOW + 31 * 24 * HOUR).toISOString();

  test.each([
    [
      'one check beside several',
      { checkIds: [check.id] },
      'body: expected checkId or checkIds, and not both',
    ],
    ['more than 31 days', { to: long }, 'to: expected at most 744 hours after from'],
    ['an end before the beginning', { to: 0 }, 'to: expected a time that is not before from'],
    [
      'a setting that there is not',
      { alertSettings: { reminders: { amount: 9 } } },
      /^alertSettings.reminders.amount: expected 0/,
    ],
    ['a member that there is not', { chekId: 1 }, /^chekId: expected no member of this name/],
    [
      'more than 100 checks',
      { checkId: undefined, checkIds: Array.from({ length: 101 }, () => check.id) },
      /^checkIds: expected at most 100/,
    ],
  ])('%s', async (_, body, message) => {
    const answer = await post({ checkId: check.id, ...PERIOD, ...body });
    expect(answer.status).toBe(400);
    expect((answer.body as ErrorBody).message).toMatch(message);
  });

  test('a check that there is not: 404', async () => {
    const checkId = '00000000-0000-4000-8000-000000000000';
    expect((await post({ checkId, ...PERIOD })).status).toBe(404);
  });

  test('more results than one simulation may go through', async () => {
    await keepRuns('PPP');
    const reader = new OutcomeReader(api.history, 2);
    const outcomes = reader.outcomesOf(check, { from: FROM, to: NOW });
    await expect(outcomes.next()).rejects.toThrow('expected a period with at most 2 results');
  });
});
