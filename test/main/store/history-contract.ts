import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { History, ResultQuery } from '#main/store/history/history.ts';
import { viewResult } from '#shared/results/check-result.ts';
import { entriesOf, idsOf, makeEvent, makeResult, makeResults, NOON } from './records.ts';

const SECOND = 1_000;

/** What every history does, whatever it keeps its facts in. */
export function historyContract(name: string, open: () => Promise<History>): void {
  // One for all tests, each with checks of its own: starting threads takes a while.
  let history: History;
  let checkId: string;
  beforeAll(async () => {
    history = await open();
  });
  beforeEach(() => {
    checkId = randomUUID();
  });
  afterAll(() => history.close());

  const all = (checkId: string, query: Partial<ResultQuery> = {}): ResultQuery => ({
    checkId,
    name: 'a check',
    limit: 100,
    resultType: 'ALL',
    ...query,
  });

  describe(`results in the ${name}`, () => {
    test('a result is answered as the API shows it', async () => {
      const entry = makeResult({
        checkId,
        hasFailures: true,
        failure: { cause: 'CONNECTION_REFUSED', message: 'Nobody listens at 127.0.0.1:9.' },
        statusCode: null,
        attempts: 2,
        detail: JSON.stringify({ apiCheckResult: { requestError: 'ECONNREFUSED', note: 'Größe' } }),
      });
      await history.write({ results: [entry] });
      const shown = viewResult(entry.result, 'a check', entry.detail);
      expect(entriesOf(await history.listResults(all(checkId)))).toEqual([shown]);
    });

    test('the last runs of checks come in a few numbers', async () => {
      const times = [30, 20, 10];
      const results = times.map((responseTime, index) =>
        makeResult({
          checkId,
          createdAt: NOON + index * SECOND,
          responseTime,
          hasFailures: responseTime === 20,
        }),
      );
      const attempt = makeResult({ checkId, createdAt: NOON + 5 * SECOND, resultType: 'ATTEMPT' });
      await history.write({ results: [...results, attempt] });
      const unknown = randomUUID();
      const query = { checkIds: [checkId, unknown], from: NOON, limit: 100 };
      expect(await history.summariseRuns(query)).toEqual([
        {
          checkId,
          availability: expect.closeTo(66.67, 1),
          p95: 29,
          p99: 29.8,
          bars: times.map((responseTime) => ({
            standing: responseTime === 20 ? 'failing' : 'passing',
            responseTime,
          })),
        },
        { checkId: unknown, availability: null, p95: null, p99: null, bars: [] },
      ]);
      const newest = await history.summariseRuns({ ...query, limit: 1 });
      expect(newest[0]?.bars).toEqual([{ standing: 'passing', responseTime: 10 }]);
      const later = await history.summariseRuns({ ...query, from: NOON + SECOND });
      expect(later[0]?.availability).toBe(50);
    });

    test('conclusive runs are counted by ranges, the good ones apart', async () => {
      const checkId = randomUUID();
      const at = (offset: number, given = {}) =>
        makeResult({ checkId, createdAt: NOON + offset, responseTime: 100, ...given });
      const results = [
        at(0),
        at(1_000, { hasFailures: true }),
        at(2_000, { responseTime: 900 }),
        at(3_000, { hasErrors: true }),
        at(4_000, { resultType: 'ATTEMPT', hasFailures: true }),
        at(5_000, { isDegraded: true }),
        at(6_000),
      ];
      await history.write({ results });
      const ranges = [
        { from: NOON, to: NOON + 10_000 },
        { from: NOON + 1_000, to: NOON + 6_000 },
      ];
      const count = (underMs: number | null, excluded: { from: number; to: number }[] = []) =>
        history.countRuns({ checkId, checkType: 'API', ranges, excluded, underMs });
      expect(await count(null)).toEqual([
        { total: 5, good: 4 },
        { total: 3, good: 2 },
      ]);
      expect(await count(500)).toEqual([
        { total: 5, good: 3 },
        { total: 3, good: 1 },
      ]);
      expect(await count(null, [{ from: NOON + 500, to: NOON + 5_000 }])).toEqual([
        { total: 3, good: 3 },
        { total: 1, good: 1 },
      ]);
      const nobody = { checkId: randomUUID(), checkType: 'API', ranges, excluded: [] } as const;
      expect(await history.countRuns({ ...nobody, underMs: null })).toEqual([
        { total: 0, good: 0 },
        { total: 0, good: 0 },
      ]);
    });

    test('a body of any length comes back as it was', async () => {
      const results = [10, 2_000, 5_000, 200_000].map((length, index) =>
        makeResult({
          checkId,
          createdAt: NOON + index,
          detail: JSON.stringify({ apiCheckResult: { body: 'ä'.repeat(length) } }),
        }),
      );
      await history.write({ results });
      const entries = entriesOf(await history.listResults(all(checkId)));
      expect(entries.map(({ apiCheckResult }) => String(apiCheckResult?.body).length)).toEqual([
        200_000, 5_000, 2_000, 10,
      ]);
    });

    test('pages are newest first, and the last entry of one begins the next', async () => {
      const results = makeResults(checkId, 7);
      await history.write({ results });
      const newestFirst = results.map(({ result }) => result.id).reverse();
      const seen: string[] = [];
      const lengths: number[] = [];
      let before: string | undefined;
      do {
        const page = await history.listResults(all(checkId, { limit: 3, before }));
        seen.push(...idsOf(page));
        lengths.push(page.length);
        before = page.nextBefore ?? undefined;
      } while (before !== undefined);
      expect(seen).toEqual(newestFirst);
      expect(lengths).toEqual([3, 3, 1]);
    });

    test('a page that ends with the oldest entry says that there is no next one', async () => {
      await history.write({ results: makeResults(checkId, 3) });
      expect((await history.listResults(all(checkId, { limit: 3 }))).nextBefore).toBeNull();
      expect((await history.listResults(all(checkId, { limit: 2 }))).nextBefore).not.toBeNull();
    });

    describe('a result whose id was given away before it was settled', () => {
      /** The second of three by its time, the first by its id. */
      const settledLate = async () => {
        const results = [0, 1, 2].map((n) =>
          makeResult({
            checkId,
            createdAt: NOON + n * SECOND,
            ...(n === 1 && { id: v7({ msecs: NOON - 60 * SECOND }) }),
          }),
        );
        await history.write({ results });
        return { ids: results.map(({ result }) => result.id), results };
      };

      test('is listed at the time when it was settled', async () => {
        const { ids, results } = await settledLate();
        const page = await history.listResults(all(checkId));
        expect(idsOf(page)).toEqual(ids.toReversed());
        expect(entriesOf(page)[1]).toEqual(
          viewResult(results[1]?.result ?? failed(), 'a check', results[1]?.detail ?? ''),
        );
      });

      test('is found by its id', async () => {
        const { ids } = await settledLate();
        for (const resultId of ids) {
          const found = await history.findResult({ checkId, resultId, name: 'a check' });
          expect(JSON.parse(new TextDecoder().decode(found ?? failed()))).toMatchObject({
            id: resultId,
          });
        }
      });

      test('breaks no page: whoever goes from one to the next sees each once', async () => {
        const { ids } = await settledLate();
        const seen: string[] = [];
        let before: string | undefined;
        do {
          const page = await history.listResults(all(checkId, { limit: 1, before }));
          seen.push(...idsOf(page));
          before = page.nextBefore ?? undefined;
        } while (before !== undefined);
        expect(seen).toEqual(ids.toReversed());
      });

      test('comes to a client that asks for what came since the last it saw', async () => {
        const [first, late] = makeResults(checkId, 2).map(({ result }) => result);
        await history.write({ results: [makeResult(first)] });
        const [seen] = entriesOf(await history.listResults(all(checkId)));
        await history.write({
          results: [makeResult({ ...late, id: v7({ msecs: NOON - 60 * SECOND }) })],
        });
        const from = Date.parse(seen?.created_at ?? '');
        const since = entriesOf(await history.listResults(all(checkId, { from })));
        expect(since.map(({ created_at }) => Date.parse(created_at) - NOON)).toEqual([SECOND, 0]);
      });

      test('is kept once, however often it is written', async () => {
        const { results } = await settledLate();
        await history.write({ results });
        expect((await history.listResults(all(checkId))).length).toBe(3);
      });
    });

    test('an offset passes entries over, and the total counts them', async () => {
      const results = makeResults(checkId, 5);
      await history.write({ results });
      const page = await history.listResults(
        all(checkId, { limit: 2, offset: 2, withTotal: true }),
      );
      expect(idsOf(page)).toEqual([results[2]?.result.id, results[1]?.result.id]);
      expect(page.total).toBe(5);
    });

    test('a total is counted only where it is asked for', async () => {
      await history.write({ results: makeResults(checkId, 1) });
      expect((await history.listResults(all(checkId))).total).toBeNull();
    });

    test('`from` is inclusive and `to` exclusive, also between milliseconds', async () => {
      const results = makeResults(checkId, 3);
      await history.write({ results });
      const ids = results.map(({ result }) => result.id);
      const within = async (from?: number, to?: number) =>
        idsOf(await history.listResults(all(checkId, { from, to })));
      expect(await within(NOON + SECOND, NOON + 2 * SECOND)).toEqual([ids[1]]);
      expect(await within(NOON + SECOND - 0.5, NOON + SECOND + 0.5)).toEqual([ids[1]]);
      expect(await within(NOON + SECOND + 0.5)).toEqual([ids[2]]);
      expect(await within(undefined, NOON)).toEqual([]);
      expect(await within(-1, 1e17)).toEqual([...ids].reverse());
    });

    test.each<[string, Partial<ResultQuery>, string[]]>([
      ['final results', { resultType: 'FINAL' }, ['fails', 'passes']],
      ['attempts', { resultType: 'ATTEMPT' }, ['attempt']],
      ['all results', { resultType: 'ALL' }, ['fails', 'passes', 'attempt']],
      ['failing results', { hasFailures: true }, ['fails', 'attempt']],
      ['passing results', { hasFailures: false }, ['passes']],
      ['results of a location', { location: 'us-east-1' }, ['fails']],
      ['results of a location never used', { location: 'af-south-1' }, []],
      ['results of a check type', { checkType: 'API' }, ['fails', 'passes', 'attempt']],
      ['results of another check type', { checkType: 'DNS' }, []],
      ['failing final results', { hasFailures: true, resultType: 'FINAL' }, ['fails']],
    ])('a query for %s finds these and counts them', async (_, query, expected) => {
      const named = {
        attempt: makeResult({ checkId, resultType: 'ATTEMPT', hasFailures: true }),
        passes: makeResult({ checkId, createdAt: NOON + 1 }),
        fails: makeResult({
          checkId,
          createdAt: NOON + 2,
          hasFailures: true,
          runLocation: 'us-east-1',
        }),
      };
      await history.write({ results: Object.values(named) });
      const page = await history.listResults(all(checkId, { ...query, withTotal: true }));
      const names = new Map(Object.entries(named).map(([key, { result }]) => [result.id, key]));
      expect(idsOf(page).map((id) => names.get(id))).toEqual(expected);
      expect(page.total).toBe(expected.length);
    });

    test('only the members asked for are answered', async () => {
      const entry = makeResult({ checkId });
      await history.write({ results: [entry] });
      const page = await history.listResults(all(checkId, { fields: ['id', 'createdAt'] }));
      expect(entriesOf(page)).toEqual([
        { id: entry.result.id, createdAt: new Date(NOON).toISOString() },
      ]);
    });

    test('one result is found by its id, within its check only', async () => {
      const { result, detail } = makeResult({ checkId });
      await history.write({ results: [{ result, detail }, makeResult()] });
      const find = (id: string, ofCheck = checkId) =>
        history.findResult({ checkId: ofCheck, resultId: id, name: 'a check' });
      const text = await find(result.id);
      expect(JSON.parse(new TextDecoder().decode(text ?? undefined))).toEqual(
        viewResult(result, 'a check', detail),
      );
      expect(await find(result.id, randomUUID())).toBeNull();
      expect(await find(v7())).toBeNull();
      expect(await find('no-uuid')).toBeNull();
    });

    test('checks keep their results apart', async () => {
      const other = randomUUID();
      await history.write({ results: [...makeResults(checkId, 2), ...makeResults(other, 3)] });
      expect((await history.listResults(all(checkId))).length).toBe(2);
      expect((await history.listResults(all(other))).length).toBe(3);
      expect(await history.listResults(all(randomUUID(), { withTotal: true }))).toMatchObject({
        length: 0,
        nextBefore: null,
        total: 0,
      });
    });

    test('a slot has one FINAL result at a location: the first', async () => {
      const first = makeResult({ checkId });
      await history.write({ results: [first] });
      await history.write({
        results: [
          makeResult({ checkId, createdAt: NOON + 5, slot: NOON }),
          makeResult({ checkId, createdAt: NOON + 6, slot: NOON, runLocation: 'us-east-1' }),
          makeResult({ checkId, createdAt: NOON + 7, slot: NOON, resultType: 'ATTEMPT' }),
          makeResult({ checkId, createdAt: NOON + 8, slot: null }),
          makeResult({ checkId, createdAt: NOON + 9, slot: null }),
        ],
      });
      const entries = entriesOf(await history.listResults(all(checkId)));
      const times = entries.map(({ created_at }) => Date.parse(created_at) - NOON);
      expect(times).toEqual([9, 8, 7, 6, 0]);
      expect(entries.at(-1)?.id).toBe(first.result.id);
    });

    test('a result that is written twice is there once', async () => {
      const entry = makeResult({ checkId, slot: null });
      await history.write({ results: [entry, entry] });
      await history.write({ results: [entry] });
      expect((await history.listResults(all(checkId))).length).toBe(1);
    });
  });

  describe(`heartbeat events in the ${name}`, () => {
    test('events of a period are newest first, up to a limit', async () => {
      const events = [0, 1, 2, 3].map((index) => makeEvent({ checkId, timestamp: NOON + index }));
      await history.write({ heartbeatEvents: [...events, makeEvent()] });
      const list = (from: number, to: number, limit: number) =>
        history.listHeartbeatEvents({ checkId, from: NOON + from, to: NOON + to, limit });
      expect(await list(0, 4, 10)).toEqual([...events].reverse());
      expect(await list(1, 3, 10)).toEqual([events[2], events[1]]);
      expect(await list(0, 4, 1)).toEqual([events[3]]);
    });

    test('events of a heartbeat are counted by ranges, missed ones as bad', async () => {
      const checkId = randomUUID();
      const events = ['RECEIVED', 'FAILING', 'LATE'] as const;
      const heartbeatEvents = events.map((state, n) =>
        makeEvent({ checkId, state, timestamp: NOON + n * 1_000 }),
      );
      await history.write({ heartbeatEvents });
      const ranges = [
        { from: NOON, to: NOON + 9_000 },
        { from: NOON + 1_000, to: NOON + 2_000 },
      ];
      const query = {
        checkId,
        checkType: 'HEARTBEAT',
        ranges,
        excluded: [],
        underMs: null,
      } as const;
      expect(await history.countRuns(query)).toEqual([
        { total: 3, good: 2 },
        { total: 1, good: 0 },
      ]);
    });

    test('an event is found by its id, within its check only', async () => {
      const event = makeEvent({ checkId, state: 'FAILING', source: null, userAgent: null });
      await history.write({ heartbeatEvents: [event] });
      expect(await history.findHeartbeatEvent({ checkId, eventId: event.id })).toEqual(event);
      const elsewhere = { checkId: randomUUID(), eventId: event.id };
      expect(await history.findHeartbeatEvent(elsewhere)).toBeNull();
      expect(await history.findHeartbeatEvent({ checkId, eventId: 'no-uuid' })).toBeNull();
    });

    test('every state but FAILING counts as passing', async () => {
      const states = ['EARLY', 'RECEIVED', 'GRACE', 'LATE', 'FAILING'] as const;
      await history.write({
        heartbeatEvents: states.map((state, at) =>
          makeEvent({ checkId, state, timestamp: NOON + at }),
        ),
      });
      const count = (from: number, to: number) =>
        history.countHeartbeatEvents({ checkId, from: NOON + from, to: NOON + to });
      expect(await count(0, 5)).toEqual({ passing: 4, total: 5 });
      expect(await count(1, 4)).toEqual({ passing: 3, total: 3 });
      expect(await count(5, 9)).toEqual({ passing: 0, total: 0 });
    });
  });

  describe(`states in the ${name}`, () => {
    test('a state is replaced whole', async () => {
      const other = randomUUID();
      const state = (actor: Record<string, unknown>) => ({ actor, status: null });
      await history.write({
        states: [
          { checkId, state: state({ lastSlot: 1, lastLocation: 'eu-west-1' }) },
          { checkId: other, state: state({}) },
        ],
      });
      await history.write({ states: [{ checkId, state: state({ lastSlot: 2 }) }] });
      const states = await history.loadStates();
      expect(states.get(checkId)).toEqual(state({ lastSlot: 2 }));
      expect(states.get(other)).toEqual(state({}));
    });

    test('a status comes back as it was', async () => {
      const status = {
        hasFailures: false,
        hasErrors: true,
        isDegraded: false,
        longestRun: 3,
        shortestRun: null,
        lastRunLocation: 'eu-west-1',
        lastCheckRunId: '12',
        sslDaysRemaining: null,
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: null,
      };
      await history.write({ states: [{ checkId, state: { actor: {}, status } }] });
      expect((await history.loadStates()).get(checkId)?.status).toEqual(status);
    });
  });

  describe(`the ${name} as a whole`, () => {
    test('a forgotten check is gone at once, and facts that come late are dropped', async () => {
      const other = randomUUID();
      const facts = (id: string, at: number) => ({
        results: [makeResult({ checkId: id, createdAt: NOON + at })],
        heartbeatEvents: [makeEvent({ checkId: id, timestamp: NOON + at })],
        states: [{ checkId: id, state: { actor: {}, status: null } }],
      });
      await history.write(facts(checkId, 0));
      await history.write(facts(other, 0));
      await history.forget(checkId);
      await history.write(facts(checkId, 1));
      const count = async (id: string) => [
        (await history.listResults(all(id))).length,
        (await history.countHeartbeatEvents({ checkId: id, from: 0, to: NOON * 2 })).total,
      ];
      expect(await count(checkId)).toEqual([0, 0]);
      expect(await count(other)).toEqual([1, 1]);
      const states = await history.loadStates();
      expect([states.has(checkId), states.has(other)]).toEqual([false, true]);
    });

    test('an empty write is fine', async () => {
      await expect(history.write({})).resolves.toBeUndefined();
    });

    test('nothing was alive before the first start', async () => {
      expect(await history.lastAliveAt()).toBeNull();
    });

    test('a closed history refuses what comes late', async () => {
      const own = await open();
      await own.close();
      await expect(own.write({})).rejects.toMatchObject({ code: 'CLOSED' });
    });
  });
}

function failed(): never {
  throw new Error('The history does not have it.');
}
