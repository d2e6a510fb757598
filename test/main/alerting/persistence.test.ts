import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeptState } from '#main/store/history/history.ts';
import { AlertWorld, addChannel, alertingCheck } from '../../fixtures/alert-world.ts';
import { RecordingHistory } from '../../fixtures/recording-history.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { FAILING, simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

describe('an alert', () => {
  it('is kept in one transaction with its result, its notifications and the state', async () => {
    const history = new RecordingHistory();
    const world = await AlertWorld.begin(alertingCheck(), { history });
    await world.run('F');
    const transaction = history.transactions.find(({ results }) => results);
    expect(transaction).toMatchObject({
      results: [{ result: { hasFailures: true } }],
      alerts: [{ alertType: 'ALERT_FAILURE' }],
      notifications: [{ status: 'PENDING' }],
      states: [{ state: { alert: { standing: 'failing', raised: { type: 'ALERT_FAILURE' } } } }],
    });
  });

  it('is sent only once it is kept', async () => {
    const history = new RecordingHistory();
    const world = await AlertWorld.begin(alertingCheck(), { history });
    history.isFailing = true;
    await world.run('FPFP');
    expect(world.told).toEqual([]);
    history.isFailing = false;
    await world.life.clock.advance(10_000);
    expect(world.told).toEqual(['FAILURE', 'RECOVERY', 'FAILURE', 'RECOVERY']);
    expect(world.recorded).toEqual(world.told);
    await world.restart();
    await world.run('F');
    expect(world.recorded).toEqual(['FAILURE', 'RECOVERY', 'FAILURE', 'RECOVERY', 'FAILURE']);
  });

  it('of a store that never works again until a kill is raised anew afterwards', async () => {
    const history = new RecordingHistory();
    const world = await AlertWorld.begin(alertingCheck(), { history });
    await world.run('P');
    history.isFailing = true;
    await world.run('F');
    history.isFailing = false;
    await world.restart();
    await world.run('F');
    expect(world.told).toEqual(['FAILURE']);
  });
});

it('of a check that keeps passing nothing is kept for alerts', async () => {
  const world = await AlertWorld.begin();
  await world.run('PPPP');
  expect([...world.history.states.values()].map(({ alert }) => alert)).toEqual([undefined]);
});

it('a state that cannot be read starts anew, and the check goes on', async () => {
  const world = await AlertWorld.begin();
  await world.run('F');
  const kept = world.history.states.get(world.check.id) as KeptState;
  world.history.states.set(world.check.id, {
    ...kept,
    alert: { standing: 'upside down' } as never,
  });
  await world.restart();
  await world.run('F');
  expect(world.recorded).toEqual(['FAILURE', 'FAILURE']);
});

it('restarts between any two runs change nothing', async () => {
  const stories = fc.array(
    fc.record({ run: fc.constantFrom('P', 'D', 'F', 'F', 'i'), restarts: fc.boolean() }),
    { minLength: 1, maxLength: 25 },
  );
  const settings = fc.record({
    runBasedEscalation: fc.record({
      failedRunThreshold: fc.constantFrom(1 as const, 2 as const, 3 as const),
    }),
    // Never due at the moment of a run.
    reminders: fc.constant({ amount: 2 as const, interval: 2 as const }),
  });
  await fc.assert(
    fc.asyncProperty(stories, settings, async (story, given) => {
      const check = alertingCheck(given, { frequency: 5 });
      const [calm, restless] = [await AlertWorld.begin(check), await AlertWorld.begin(check)];
      for (const { run, restarts } of story) {
        await calm.run(run);
        await restless.run(run);
        if (restarts) await restless.restart();
      }
      const view = ({ alerts, sent, history }: AlertWorld) => ({
        alerts: alerts.map(({ alertType, withheld, createdAt }) => [
          alertType,
          withheld,
          createdAt,
        ]),
        sent: sent.map(({ createdAt, notice }) => [createdAt, notice.kind, withoutIds(notice)]),
        standing: history.states.get(check.id)?.alert?.standing,
      });
      expect(view(restless)).toEqual(view(calm));
    }),
    { numRuns: 40 },
  );
});

function withoutIds(notice: object): object {
  return { ...notice, resultId: null, resultLink: null, link: null };
}

it('500 checks that fail at once have 500 alerts in the history, and nothing waits for them', async () => {
  const clock = new SimulatedClock();
  const checks = Array.from({ length: 500 }, (_, n) => ({
    ...alertingCheck(),
    id: `4c0f6a52-8f0e-4a57-9d53-${String(n).padStart(12, '0')}`,
  }));
  const { runner, configuration, history, outbox } = await simulatedMonitor(checks, { clock });
  await addChannel(configuration, '1');
  await clock.advance(10_000);
  runner.outcome = FAILING;
  await clock.advance(60_000);
  runner.outcome = {};
  await clock.advance(60_000);
  const types = [...history.ofAlerts.alerts.values()].map(({ alertType }) => alertType);
  expect(types.filter((type) => type === 'ALERT_FAILURE')).toHaveLength(500);
  expect(types.filter((type) => type === 'ALERT_RECOVERY')).toHaveLength(500);
  expect(outbox.taken).toHaveLength(1_000);
  expect(history.ofAlerts.notifications.size).toBe(1_000);
});
