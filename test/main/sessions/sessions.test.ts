import fc from 'fast-check';
import pino from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { MAX_OPEN, MAX_OPEN_PER_CHECK, Sessions } from '#main/sessions/sessions.ts';
import { TooManySessions } from '#main/sessions/sessions-port.ts';
import type { HistoryRecords } from '#main/store/history/history.ts';
import { StoreError } from '#main/store/store-error.ts';
import { hasEnded, type StoredSession } from '#shared/sessions/check-session.ts';
import { DEADLINE_MARGIN_MS } from '#shared/sessions/session-rules.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { FakeCheckRuns } from '../../fixtures/fake-check-runs.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { OUTCOMES } from './fixtures.ts';

const log = pino({ level: 'silent' });
const options = { runSource: 'TRIGGER_API' } as const;

/** A history whose disk can be full. */
class FullHistory extends MemoryHistory {
  full = false;
  /** Sessions that there is room for. */
  fullAfter = Number.POSITIVE_INFINITY;
  writes = 0;

  override async write(facts: HistoryRecords): Promise<void> {
    if (this.full || this.writes >= this.fullAfter)
      throw new StoreError('FULL', 'The disk is full.');
    this.writes += facts.sessions?.length ?? 0;
    await super.write(facts);
  }
}

function setUp({ clock = new SimulatedClock(), history = new FullHistory() } = {}) {
  const runs = new FakeCheckRuns(clock, (facts) => history.write(facts));
  const sessions = new Sessions({ history, runs, clock, log });
  const kept = (id: string) => history.ofSessions.sessions.get(id);
  return { clock, history, runs, sessions, kept };
}

/** The next life of an appliance that was killed: its actors are simply not asked any more. */
async function restart(killed: ReturnType<typeof setUp>) {
  const next = setUp({ clock: killed.clock, history: killed.history });
  await next.sessions.restore();
  return next;
}

async function triggerOne(parts: ReturnType<typeof setUp>, locations?: string[]) {
  const check = makeCheck('URL', { privateLocations: locations ?? null, runParallel: true });
  const [session] = await parts.sessions.trigger([check], options);
  if (!session) throw new Error('There is no session.');
  return { check, session, run: parts.runs.runOf(session.id) };
}

test('whoever listens hears what is triggered, and each change until the end', async () => {
  const { sessions } = setUp();
  const heard: string[] = [];
  const stop = sessions.listen({
    triggered: (made) => heard.push(`${made.length} made`),
    changed: ({ status }) => heard.push(status),
  });
  const [session] = await sessions.trigger([makeCheck('URL')], options);
  await sessions.cancel(session?.id ?? '');
  stop();
  await sessions.trigger([makeCheck('URL')], options);
  expect(heard).toEqual(['1 made', 'CANCELLED']);
  expect(sessions.current(session?.id ?? '')?.status).toBe('CANCELLED');
});

describe('a trigger', () => {
  test('keeps a session for each check, and their batch, before it answers', async () => {
    const { sessions, history } = setUp();
    const checks = [makeCheck('URL', { name: 'first' }), makeCheck('API', { name: 'second' })];
    const made = await sessions.trigger(checks, {
      ...options,
      concurrency: 1,
      overrides: { location: 'eu-west-2' },
    });
    expect(made).toMatchObject([
      { name: 'first', checkType: 'URL', status: 'STARTED', runLocations: ['eu-west-2'] },
      { name: 'second', checkType: 'API', status: 'STARTED', runLocations: ['eu-west-2'] },
    ]);
    expect(history.ofSessions.sessions.size).toBe(2);
    expect([...history.ofSessions.batches.values()]).toMatchObject([
      { concurrency: 1, sessionIds: made.map(({ id }) => id) },
    ]);
  });

  test('hands what the caller asked for to the run', async () => {
    const { sessions, runs } = setUp();
    const overrides = { location: 'eu-west-2', builtIns: { ENVIRONMENT_NAME: 'staging' } };
    const [session] = await sessions.trigger([makeCheck('URL')], { ...options, overrides });
    expect(runs.runs.map(({ order }) => order)).toEqual([
      { id: session?.id, overrides: { ...overrides, runSource: 'TRIGGER_API' } },
    ]);
    expect(runs.runs[0]?.follower.countsForCheck).toBe(true);
  });

  test('that cannot be kept makes no session and takes up no room', async () => {
    const parts = setUp();
    const check = makeCheck('URL');
    parts.history.full = true;
    for (let n = 0; n <= MAX_OPEN_PER_CHECK; n++) {
      await expect(parts.sessions.trigger([check], options)).rejects.toThrow(StoreError);
    }
    expect(parts.runs.runs).toEqual([]);
    parts.history.full = false;
    expect(await parts.sessions.trigger([check], options)).toHaveLength(1);
  });

  test('of thousands lets others have their turns, and starts all in their order', async () => {
    const { sessions, runs } = setUp();
    const checks = Array.from({ length: 2_000 }, () => makeCheck('URL'));
    let turns = 0;
    const others = setInterval(() => turns++, 0);
    const made = await sessions.trigger(checks, { ...options, concurrency: 1_000 });
    const turnsOfTrigger = turns;
    await vi.waitUntil(() => runs.runs.length === 1_000, { timeout: 30_000 });
    clearInterval(others);
    expect(made.map(({ checkId }) => checkId)).toEqual(checks.map(({ id }) => id));
    expect(runs.runs.map(({ order }) => order.id)).toEqual(
      made.slice(0, 1_000).map(({ id }) => id),
    );
    expect(turnsOfTrigger).toBeGreaterThan(0);
    expect(turns - turnsOfTrigger).toBeGreaterThan(0);
  });

  test('of thousands that cannot be kept whole leaves none open, and takes up no room', async () => {
    const { sessions, history, runs, clock } = setUp();
    const checks = Array.from({ length: 600 }, () => makeCheck('URL'));
    history.fullAfter = 250;
    await expect(sessions.trigger(checks, options)).rejects.toThrow(StoreError);
    history.fullAfter = Number.POSITIVE_INFINITY;
    await clock.advance(1_000);
    const statuses = () =>
      new Set(history.ofSessions.sessions.values().map(({ status }) => status));
    await vi.waitUntil(() => !statuses().has('STARTED'), { timeout: 30_000 });
    expect([...statuses()]).toEqual(['CANCELLED']);
    expect(runs.runs).toEqual([]);
    const ends = [...checks.slice(0, 1), ...checks.slice(-1)];
    for (let n = 0; n < MAX_OPEN_PER_CHECK; n++) await sessions.trigger(ends, options);
  });

  test('of hundreds that has no room for its last takes up none', async () => {
    const { sessions, history } = setUp();
    const busy = makeCheck('URL');
    await sessions.trigger(Array(MAX_OPEN_PER_CHECK).fill(busy), options);
    const others = Array.from({ length: 150 }, () => makeCheck('URL'));
    for (let n = 0; n < MAX_OPEN_PER_CHECK; n++) {
      await expect(sessions.trigger([...others, busy], options)).rejects.toThrow(TooManySessions);
    }
    expect(history.ofSessions.sessions.size).toBe(MAX_OPEN_PER_CHECK);
    expect(await sessions.trigger(others, options)).toHaveLength(150);
  });

  test('of thousands starts no session of its group among them that came later', async () => {
    const { sessions, runs } = setUp();
    const group = { ...options, groupId: 1, concurrency: 3_000 };
    const triggers = [0, 1].map(() =>
      sessions.trigger(
        Array.from({ length: 1_500 }, () => makeCheck('URL')),
        group,
      ),
    );
    const made = (await Promise.all(triggers)).flat();
    await vi.waitUntil(() => runs.runs.length === 3_000, { timeout: 30_000 });
    expect(runs.runs.map(({ checkId }) => checkId)).toEqual(made.map(({ checkId }) => checkId));
  });

  test('starts the sessions in their order, so many at a time, to their ends', async () => {
    const { clock, sessions, runs } = setUp();
    const checks = Array.from({ length: 10 }, () => makeCheck('URL'));
    const ids = checks.map(({ id }) => id);
    const made = await sessions.trigger(checks, { ...options, concurrency: 3 });
    for (let done = 0; done < 10; done++) {
      expect(runs.runs.length).toBe(Math.min(10, done + 3));
      runs.runs[done]?.finish();
      await clock.advance(0);
    }
    expect(runs.runs.map(({ checkId }) => checkId)).toEqual(ids);
    const ended = await Promise.all(made.map(({ id }) => sessions.find(id)));
    expect(ended.map((session) => session?.status)).toEqual(ids.map(() => 'PASSED'));
  });
});

describe('a session', () => {
  test.each([
    ['passed', 'PROGRESS', 'PASSED'],
    ['degraded', 'PROGRESS_DEGRADED', 'DEGRADED'],
    ['failed', 'PROGRESS_FAILED', 'FAILED'],
    ['inconclusive', 'PROGRESS_FAILED', 'FAILED'],
  ] as const)('whose worst result is %s is %s, then %s', async (outcome, progress, end) => {
    const parts = setUp();
    const { session, run } = await triggerOne(parts, ['a', 'b']);
    run.start(['a', 'b']);
    expect(await parts.sessions.find(session.id)).toMatchObject({ status: 'PROGRESS' });
    run.settle({ runLocation: 'a', ...OUTCOMES[outcome] });
    expect(await parts.sessions.find(session.id)).toMatchObject({ status: progress });
    run.settle({ runLocation: 'b' });
    run.end();
    expect(await parts.sessions.find(session.id)).toMatchObject({ status: end });
    await parts.clock.advance(0);
    expect(parts.kept(session.id)).toMatchObject({ status: end, results: [{}, {}] });
  });

  test('is kept in one transaction with each of its results', async () => {
    const parts = setUp();
    const { session, run } = await triggerOne(parts);
    run.start();
    const attempt = run.settle({ resultType: 'ATTEMPT', hasFailures: true });
    expect(attempt.sessions).toMatchObject([{ id: session.id, status: 'PROGRESS', results: [{}] }]);
    const final = run.settle();
    expect(final.sessions).toMatchObject([{ id: session.id, status: 'PASSED', results: [{}, {}] }]);
    expect(run.settle()).toEqual({});
  });

  test('times out a while after the longest its run can take, counted from its start', async () => {
    const parts = setUp();
    const { session, run } = await triggerOne(parts);
    await parts.clock.advance(3_600_000);
    expect(await parts.sessions.find(session.id)).toMatchObject({ status: 'STARTED' });
    run.start(['eu-west-1'], 60_000);
    await parts.clock.advance(60_000 + DEADLINE_MARGIN_MS - 1);
    expect(await parts.sessions.find(session.id)).toMatchObject({ status: 'PROGRESS' });
    await parts.clock.advance(1);
    expect(parts.kept(session.id)).toMatchObject({
      status: 'TIMED_OUT',
      stoppedAt: parts.clock.now(),
    });
    expect(run.cancelled).toBe(true);
    expect(run.settle()).toEqual({});
  });

  test('does not time out early when the clock is set back', async () => {
    const parts = setUp();
    const { session, run } = await triggerOne(parts);
    run.start(['eu-west-1'], 60_000);
    parts.clock.jump(-60_000);
    await parts.clock.advance(60_000 + DEADLINE_MARGIN_MS + 1);
    expect(await parts.sessions.find(session.id)).toMatchObject({ status: 'PROGRESS' });
    await parts.clock.advance(60_000);
    expect(await parts.sessions.find(session.id)).toMatchObject({ status: 'TIMED_OUT' });
  });

  test.each([
    ['its check is deleted', 'deleted', 'CANCELLED'],
    ['its run is given up', 'cancelled', 'CANCELLED'],
    ['its run ends without its results', 'settled', 'FAILED'],
  ] as const)('is over when %s', async (_, how, status) => {
    const parts = setUp();
    const waiting = await triggerOne(parts);
    const running = await triggerOne(parts);
    running.run.start();
    for (const { run } of [waiting, running]) run.end(how);
    await parts.clock.advance(0);
    for (const { session } of [waiting, running]) {
      expect(parts.kept(session.id)).toMatchObject({ status });
    }
  });

  test('of a check that is gone when its turn comes is cancelled, and the next one starts', async () => {
    const parts = setUp();
    const checks = [makeCheck('URL'), makeCheck('URL'), makeCheck('URL')] as const;
    parts.runs.unknown.add(checks[1].id);
    const made = await parts.sessions.trigger(checks, { ...options, concurrency: 1 });
    parts.runs.runs[0]?.finish();
    await parts.clock.advance(0);
    expect(made.map(({ id }) => parts.kept(id)?.status)).toEqual([
      'PASSED',
      'CANCELLED',
      'STARTED',
    ]);
    expect(parts.runs.runs.map(({ checkId }) => checkId)).toEqual([checks[0].id, checks[2].id]);
  });

  test('unknown to memory is found in the history, or nowhere', async () => {
    const parts = setUp();
    const { session, run } = await triggerOne(parts);
    run.finish();
    await parts.clock.advance(0);
    const { sessions } = await restart(parts);
    expect(await sessions.find(session.id)).toMatchObject({ status: 'PASSED' });
    expect(await sessions.find('018f0000-0000-7000-8000-000000000000')).toBeNull();
  });
});

describe('a session that is cancelled', () => {
  test('is kept as such, and its run makes no further attempt', async () => {
    const parts = setUp();
    const { session, run } = await triggerOne(parts);
    run.start();
    expect(await parts.sessions.cancel(session.id)).toBe(true);
    expect(parts.kept(session.id)).toMatchObject({ status: 'CANCELLED' });
    expect(run.cancelled).toBe(true);
  });

  test('while it waits never runs', async () => {
    const parts = setUp();
    const checks = [makeCheck('URL'), makeCheck('URL'), makeCheck('URL')];
    const made = await parts.sessions.trigger(checks, { ...options, concurrency: 1 });
    await parts.sessions.cancel(made[1]?.id ?? '');
    parts.runs.runs[0]?.finish();
    await parts.clock.advance(0);
    expect(parts.runs.runs.map(({ checkId }) => checkId)).toEqual([checks[0]?.id, checks[2]?.id]);
  });

  test('after its end stays as it is', async () => {
    const parts = setUp();
    const { session, run } = await triggerOne(parts);
    run.finish();
    expect(await parts.sessions.cancel(session.id)).toBe(true);
    expect(await parts.sessions.find(session.id)).toMatchObject({ status: 'PASSED' });
    expect(await (await restart(parts)).sessions.cancel(session.id)).toBe(true);
  });

  test('is refused where it is unknown, cannot be kept or the appliance stops', async () => {
    const parts = setUp();
    const { session } = await triggerOne(parts);
    expect(await parts.sessions.cancel('018f0000-0000-7000-8000-000000000000')).toBe(false);
    parts.history.full = true;
    await expect(parts.sessions.cancel(session.id)).rejects.toThrow('The disk is full.');
    parts.history.full = false;
    await parts.clock.advance(1_000);
    expect(parts.kept(session.id)).toMatchObject({ status: 'CANCELLED' });
    await parts.sessions.stop();
    await expect(parts.sessions.cancel(session.id)).rejects.toThrow(StoreError);
    await expect(parts.sessions.trigger([], options)).rejects.toThrow(StoreError);
  });
});

describe('whoever waits', () => {
  test('has the session at its end, when its result is kept', async () => {
    const parts = setUp();
    const { session, run } = await triggerOne(parts);
    const waiting = parts.sessions.waitFor(session.id, 30_000);
    run.finish();
    expect(await waiting).toMatchObject({ status: 'PASSED' });
    expect(parts.kept(session.id)).toMatchObject({ status: 'PASSED' });
    expect(await parts.sessions.waitFor(session.id, 30_000)).toMatchObject({ status: 'PASSED' });
  });

  test('has it as it stands after the time', async () => {
    const parts = setUp();
    const { session, run } = await triggerOne(parts);
    run.start();
    const waiting = parts.sessions.waitFor(session.id, 30_000);
    await parts.clock.advance(30_000);
    expect(await waiting).toMatchObject({ status: 'PROGRESS' });
  });

  test('has it at once when the appliance stops, before or meanwhile', async () => {
    const parts = setUp();
    const { session } = await triggerOne(parts);
    const waiting = parts.sessions.waitFor(session.id, 30_000);
    await parts.sessions.stop();
    expect(await waiting).toMatchObject({ status: 'STARTED' });
    expect(await parts.sessions.waitFor(session.id, 30_000)).toMatchObject({ status: 'STARTED' });
  });

  test('has it when it is cancelled before its turn', async () => {
    const parts = setUp();
    const checks = [makeCheck('URL'), makeCheck('URL')];
    const made = await parts.sessions.trigger(checks, { ...options, concurrency: 1 });
    const id = made[1]?.id ?? '';
    const waiting = parts.sessions.waitFor(id, 30_000);
    await parts.sessions.cancel(id);
    expect(await waiting).toMatchObject({ status: 'CANCELLED' });
  });

  test('has it when it is cancelled', async () => {
    const parts = setUp();
    const { session } = await triggerOne(parts);
    const waiting = parts.sessions.waitFor(session.id, 30_000);
    await parts.sessions.cancel(session.id);
    expect(await waiting).toMatchObject({ status: 'CANCELLED' });
  });
});

describe('the limits', () => {
  test('let so many sessions be open for one check, and more once one is over', async () => {
    const parts = setUp();
    const check = makeCheck('URL');
    const many = Array.from({ length: MAX_OPEN_PER_CHECK }, () => check);
    await parts.sessions.trigger(many, options);
    await expect(parts.sessions.trigger([check], options)).rejects.toThrow(TooManySessions);
    parts.runs.runs[0]?.finish();
    expect(await parts.sessions.trigger([check], options)).toHaveLength(1);
  });

  test('let so many be open in all', async () => {
    const parts = setUp();
    const checks = Array.from({ length: MAX_OPEN / MAX_OPEN_PER_CHECK }, () => makeCheck('URL'));
    const many = checks.flatMap((check) => Array.from({ length: MAX_OPEN_PER_CHECK }, () => check));
    await parts.sessions.trigger(many, options);
    const more = parts.sessions.trigger([makeCheck('URL')], options);
    await expect(more).rejects.toThrow('20000 sessions are open already');
  });
});

describe('after a restart', () => {
  test('what was under way is ordered again under its id and ends; what waits has its turn', async () => {
    const killed = setUp();
    const checks = [makeCheck('URL'), makeCheck('URL'), makeCheck('URL')];
    const made = await killed.sessions.trigger(checks, { ...options, concurrency: 1 });
    killed.runs.runs[0]?.start();
    await killed.clock.advance(0);
    const { runs, clock, kept } = await restart(killed);
    expect(runs.runs.map(({ order }) => order.id)).toEqual([made[0]?.id]);
    for (let n = 0; n < 3; n++) {
      runs.runs[n]?.finish();
      await clock.advance(0);
    }
    expect(made.map(({ id }) => kept(id)?.status)).toEqual(['PASSED', 'PASSED', 'PASSED']);
  });

  test.each([
    ['PROGRESS', {}],
    ['PROGRESS_DEGRADED', OUTCOMES.degraded],
    ['PROGRESS_FAILED', OUTCOMES.failed],
  ] as const)('%s goes on with the results it had', async (status, outcome) => {
    const killed = setUp();
    const { session, run } = await triggerOne(killed, ['a', 'b']);
    run.start(['a', 'b']);
    run.settle({ runLocation: 'a', ...outcome });
    await killed.clock.advance(0);
    const { sessions, runs } = await restart(killed);
    expect(await sessions.find(session.id)).toMatchObject({ status });
    const again = runs.runOf(session.id);
    again.start(['a', 'b']);
    again.settle({ runLocation: 'b' });
    expect(await sessions.find(session.id)).toMatchObject({
      status: { PROGRESS: 'PASSED', PROGRESS_DEGRADED: 'DEGRADED', PROGRESS_FAILED: 'FAILED' }[
        status
      ],
      results: [{ runLocation: 'a' }, { runLocation: 'b' }],
    });
  });

  test('the deadline is where it was, also when it has passed', async () => {
    const killed = setUp();
    const soon = await triggerOne(killed);
    soon.run.start(['eu-west-1'], 60_000);
    const past = await triggerOne(killed);
    past.run.start(['eu-west-1'], 1_000);
    await killed.clock.advance(0);
    // Killed: nothing that the first life planned happens any more.
    await killed.sessions.stop();
    killed.clock.jump(DEADLINE_MARGIN_MS + 30_000);
    const { kept, clock, runs } = await restart(killed);
    await clock.advance(0);
    expect(kept(past.session.id)).toMatchObject({ status: 'TIMED_OUT' });
    expect(runs.runs.map(({ order }) => order.id)).toEqual([soon.session.id]);
    runs.runOf(soon.session.id).start(['eu-west-1'], 60_000);
    await clock.advance(DEADLINE_MARGIN_MS);
    expect(kept(soon.session.id)).toMatchObject({ status: 'TIMED_OUT' });
  });

  test('a session whose check is gone is cancelled', async () => {
    const killed = setUp();
    const { session, check, run } = await triggerOne(killed);
    run.start();
    await killed.clock.advance(0);
    const next = setUp(killed);
    next.runs.unknown.add(check.id);
    await next.sessions.restore();
    await next.clock.advance(0);
    expect(next.kept(session.id)).toMatchObject({ status: 'CANCELLED' });
  });

  test('open sessions count against the limits, and one without a batch starts all the same', async () => {
    const killed = setUp();
    const check = makeCheck('URL');
    await killed.sessions.trigger(
      Array.from({ length: MAX_OPEN_PER_CHECK }, () => check),
      options,
    );
    killed.history.ofSessions.batches.clear();
    const { sessions, runs, clock } = await restart(killed);
    await clock.advance(0);
    expect(runs.runs.length).toBe(20);
    await expect(sessions.trigger([check], options)).rejects.toThrow(TooManySessions);
  });

  test('hundreds of sessions and many batches all go on', async () => {
    const killed = setUp();
    const many = Array.from({ length: 600 }, () => makeCheck('URL'));
    await killed.sessions.trigger(many, { ...options, concurrency: 600 });
    for (let n = 0; n < 12; n++) await killed.sessions.trigger([makeCheck('URL')], options);
    const { runs } = await restart(killed);
    await vi.waitUntil(() => runs.runs.length === 612, { timeout: 30_000 });
    expect(new Set(runs.runs.map(({ order }) => order.id)).size).toBe(612);
  });

  test('what was under way is followed, and then ordered, ten at a time', async () => {
    const killed = setUp();
    const checks = Array.from({ length: 100 }, () => makeCheck('URL'));
    await killed.sessions.trigger(checks, { ...options, concurrency: 100 });
    await vi.waitUntil(() => killed.runs.runs.length === 100, { timeout: 30_000 });
    for (const run of killed.runs.runs) run.start();
    await killed.clock.advance(0);
    const next = setUp(killed);
    let turns = 0;
    const count = () => {
      turns++;
      if (next.runs.runs.length < 100) setImmediate(count);
    };
    setImmediate(count);
    await next.sessions.restore();
    await vi.waitUntil(() => next.runs.runs.length === 100, { timeout: 30_000 });
    expect(turns).toBeGreaterThan(15);
  });

  test('a result that arrived while the appliance stopped is the session’s', async () => {
    const parts = setUp();
    const { session, run } = await triggerOne(parts);
    run.start();
    await parts.sessions.stop();
    run.settle();
    await parts.clock.advance(0);
    const { runs, kept } = await restart(parts);
    expect(kept(session.id)).toMatchObject({ status: 'PASSED' });
    expect(runs.runs).toEqual([]);
  });
});

describe('a store that fails', () => {
  test('holds no session up, and has what it missed later', async () => {
    const parts = setUp();
    const { session, run } = await triggerOne(parts);
    parts.history.full = true;
    run.start();
    await parts.clock.advance(5_000);
    expect(await parts.sessions.find(session.id)).toMatchObject({ status: 'STARTED' });
    parts.history.full = false;
    await parts.clock.advance(1_000);
    expect(await parts.sessions.find(session.id)).toMatchObject({ status: 'PROGRESS' });
    expect(parts.kept(session.id)).toMatchObject({ status: 'PROGRESS' });
  });

  test('never has an older version of a session put over a newer one', async () => {
    const parts = setUp();
    const { session, run } = await triggerOne(parts, ['a', 'b']);
    parts.history.full = true;
    run.start(['a', 'b']);
    await parts.clock.advance(0);
    parts.history.full = false;
    run.settle({ runLocation: 'a', ...OUTCOMES.failed });
    await parts.clock.advance(10_000);
    expect(parts.kept(session.id)).toMatchObject({ status: 'PROGRESS_FAILED' });
  });
});

const events = fc.array(
  fc.constantFrom(
    'start',
    'pass a',
    'fail a',
    'degrade b',
    'inconclusive b',
    'attempt b',
    'end',
    'cancel',
    'delete',
    'wait',
    'restart',
    'full',
    'empty',
  ),
  { maxLength: 25 },
);

test('an end is an end: whatever happens, a session that is over never changes', async () => {
  await fc.assert(
    fc.asyncProperty(events, async (sequence) => {
      let parts = setUp();
      const { session } = await triggerOne(parts, ['a', 'b']);
      let over: StoredSession | undefined;
      for (const event of sequence) {
        const run = parts.runs.runs.at(-1);
        if (event === 'start') run?.start(['a', 'b']);
        if (event === 'pass a') run?.settle({ runLocation: 'a' });
        if (event === 'fail a') run?.settle({ runLocation: 'a', ...OUTCOMES.failed });
        if (event === 'degrade b') run?.settle({ runLocation: 'b', ...OUTCOMES.degraded });
        if (event === 'inconclusive b') run?.settle({ runLocation: 'b', ...OUTCOMES.inconclusive });
        if (event === 'attempt b') run?.settle({ runLocation: 'b', resultType: 'ATTEMPT' });
        if (event === 'end') run?.end('settled');
        if (event === 'delete') run?.end('deleted');
        if (event === 'cancel') await parts.sessions.cancel(session.id);
        if (event === 'wait') await parts.clock.advance(20_000);
        if (event === 'restart') parts = await restart(parts);
        await parts.clock.advance(0);
        const now = await parts.sessions.find(session.id);
        if (over) expect(now).toEqual(over);
        if (now && hasEnded(now.status)) over = now;
        if (now && hasEnded(now.status)) expect(now.stoppedAt).not.toBeNull();
        if (now?.status === 'PASSED') {
          const finals = now.results.filter(({ resultType }) => resultType === 'FINAL');
          expect(finals.length).toBe(now.runLocations.length);
          expect(finals.some(({ hasFailures, hasErrors }) => hasFailures || hasErrors)).toBe(false);
        }
      }
      if (over) expect(parts.kept(session.id)).toEqual(over);
    }),
    { numRuns: 200 },
  );
});
