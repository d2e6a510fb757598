import { describe, expect, it } from 'vitest';
import type { AlertSettings } from '#shared/checks/blocks.ts';
import { AlertWorld, addChannel, alertingCheck, RUNS } from '../../fixtures/alert-world.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { order, RecordingFollower } from '../../fixtures/recording-follower.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

type Percentage = AlertSettings['parallelRunFailureThreshold']['percentage'];

const LOCATIONS = ['eu-west-1', 'us-east-1', 'ap-south-1', 'sa-east-1'] as const;

const parallel = (percentage?: Percentage) =>
  alertingCheck(percentage ? { parallelRunFailureThreshold: { enabled: true, percentage } } : {}, {
    runParallel: true,
    locations: [...LOCATIONS],
  });

/** One run at all locations, a letter for each. */
async function runParallel(world: AlertWorld, letters: string): Promise<void> {
  world.life.runner.outcomes.push(...[...letters].map((letter) => RUNS[letter] ?? {}));
  while (world.life.runner.outcomes.length > 0) await world.life.clock.advance(5_000);
}

describe('a run at several locations counts once', () => {
  it.each<[letters: string, percentage: Percentage | undefined, recorded: string[]]>([
    ['PFPF', undefined, ['FAILURE']],
    ['PPPF', undefined, ['FAILURE']],
    ['PPPF', 50, []],
    ['PFPF', 50, ['FAILURE']],
    ['DFPP', 50, ['DEGRADED']],
    ['iiiF', 50, ['FAILURE']],
    ['iiii', undefined, []],
  ])('%s with a threshold of %s percent: %j', async (letters, percentage, recorded) => {
    const world = await AlertWorld.begin(parallel(percentage));
    await runParallel(world, letters);
    expect(world.recorded).toEqual(recorded);
  });

  it('and names the first location that failed', async () => {
    const world = await AlertWorld.begin(parallel());
    await runParallel(world, 'PFFP');
    expect(world.alerts.map(({ runLocation }) => runLocation)).toEqual(['us-east-1']);
    expect(world.sent.map(({ notice }) => notice.kind === 'alert' && notice.location)).toEqual([
      { code: 'us-east-1', name: 'N. Virginia' },
    ]);
  });

  it('also when the appliance is killed between two of its results', async () => {
    const world = await AlertWorld.begin({
      ...parallel(100),
      retryStrategy: { type: 'FIXED', baseBackoffSeconds: 10, sameRegion: true, maxRetries: 1 },
    });
    // Two fail for good only after a retry; the other two are over before.
    world.life.runner.outcomes.push(
      {},
      RUNS.F ?? {},
      {},
      RUNS.F ?? {},
      ...[RUNS.F ?? {}, RUNS.F ?? {}],
    );
    await world.edit({
      alertSettings: alertingCheck({
        parallelRunFailureThreshold: { enabled: true, percentage: 50 },
      }).alertSettings,
    });
    while (world.history.results.length < 4) await world.life.clock.advance(1_000);
    await world.restart();
    await world.life.clock.advance(30_000);
    expect(world.history.results).toHaveLength(6);
    expect(world.recorded).toEqual(['FAILURE']);
  });
});

describe('a retry', () => {
  it('does not count, its last result does', async () => {
    const retryStrategy = { type: 'FIXED', baseBackoffSeconds: 5, sameRegion: true, maxRetries: 2 };
    const world = await AlertWorld.begin(
      alertingCheck({}, { retryStrategy: retryStrategy as never }),
    );
    await world.run('FFP');
    expect(world.recorded).toEqual([]);
    await world.run('FFF');
    expect(world.recorded).toEqual(['FAILURE']);
  });
});

describe('an ordered run', () => {
  it.each([
    ['of a session counts like a scheduled one', true, ['FAILURE']],
    ['of a test session counts for nothing', false, []],
  ])('%s', async (_, countsForCheck, recorded) => {
    const world = await AlertWorld.begin();
    await world.run('P');
    world.life.runner.outcomes.push(RUNS.F ?? {});
    world.life.root.order(world.check.id, order('one'), new RecordingFollower({ countsForCheck }));
    await world.life.clock.advance(1);
    expect(world.recorded).toEqual(recorded);
  });

  it('that was cancelled never alerts', async () => {
    const world = await AlertWorld.begin();
    await world.run('P');
    world.life.runner.durationMs = 2_000;
    world.life.runner.outcomes.push(RUNS.F ?? {});
    world.life.root.order(world.check.id, order('one'), new RecordingFollower());
    await world.life.clock.advance(1_000);
    world.life.root.cancel(world.check.id, 'one');
    await world.life.clock.advance(2_000);
    expect(world.history.results.at(-1)?.result.hasFailures).toBe(true);
    expect(world.recorded).toEqual([]);
  });

  it('of a deactivated check does not alert', async () => {
    const world = await AlertWorld.begin(alertingCheck({}, { activated: false }));
    world.life.runner.outcomes.push(RUNS.F ?? {});
    world.life.root.order(world.check.id, order('one'), new RecordingFollower());
    await world.life.clock.advance(1);
    expect(world.history.results).toHaveLength(1);
    expect(world.recorded).toEqual([]);
  });
});

describe('a heartbeat', () => {
  it('alerts when no ping comes, and recovers with the next one', async () => {
    const clock = new SimulatedClock();
    const check = makeCheck('HEARTBEAT', {
      heartbeat: {
        period: 1,
        periodUnit: 'minutes',
        grace: 0,
        graceUnit: 'seconds',
        pingToken: undefined,
      },
      alertChannelSubscriptions: [{ alertChannelId: 1, activated: true }],
    });
    const { root, history, configuration, outbox } = await simulatedMonitor([check], { clock });
    await addChannel(configuration, '1');
    await root.ping(check.id, { source: null, userAgent: null });
    await clock.advance(150_000);
    await root.ping(check.id, { source: null, userAgent: null });
    const missed = history.heartbeatEvents.find(({ state }) => state === 'FAILING');
    const alerts = [...history.ofAlerts.alerts.values()];
    expect(alerts.map(({ alertType, resultId }) => [alertType, resultId])).toEqual([
      ['ALERT_FAILURE', null],
      ['ALERT_RECOVERY', null],
    ]);
    expect(outbox.taken.map(({ notice }) => notice)).toEqual([
      expect.objectContaining({
        alertType: 'ALERT_FAILURE',
        error: 'No ping came before the deadline',
        resultLink: `https://watch.example.com/v1/checks/heartbeats/${check.id}/events/${missed?.id}`,
      }),
      expect.objectContaining({ alertType: 'ALERT_RECOVERY', downForMs: 90_000 }),
    ]);
  });
});
