import { describe, expect, it } from 'vitest';
import { addChannel } from '../../fixtures/alert-world.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { connectivityMonitorWith } from '../../fixtures/connectivity-monitor.ts';
import { makeGroup } from '../../fixtures/groups.ts';
import {
  addService,
  incidentsOf,
  incidentWorld,
  maintain,
  SERVICE,
  TRIGGER,
  toldOf,
} from '../../fixtures/incident-world.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { RecordingHistory } from '../../fixtures/recording-history.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { FAILING, simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const MINUTE = 60_000;
const NO_SERVICE = '00000000-0000-4000-8000-000000000404';

describe('a check that opens incidents', () => {
  it('opens one with its result and its alert, in one transaction', async () => {
    const history = new RecordingHistory();
    const world = await incidentWorld({}, { history });
    await world.run('PF');
    const transaction = history.transactions.find(({ incidents }) => incidents);
    expect(transaction).toMatchObject({
      results: [{ result: { hasFailures: true } }],
      alerts: [{ alertType: 'ALERT_FAILURE' }],
      incidents: [
        {
          revision: 1,
          name: 'Shop is down',
          severity: 'MAJOR',
          services: [{ id: SERVICE, name: 'Shop' }],
          updates: [{ status: 'INVESTIGATING', description: 'We are looking into it.' }],
          automation: { checkId: world.check.id, notifySubscribers: true },
        },
      ],
      mailings: [{ content: { kind: 'incident', isFirst: true, name: 'Shop is down' } }],
      states: [{ state: { alert: { standing: 'failing' } } }],
    });
  });

  it('tells what changes, and resolves it once', async () => {
    const world = await incidentWorld();
    await world.run('PFFDFPP');
    expect(toldOf(world)).toEqual(['IMIR']);
    expect(incidentsOf(world)[0]?.updates.map(({ description }) => description)).toEqual([
      'We are looking into it.',
      'Shop API answers again, but more slowly than it should.',
      'Shop API fails again.',
      'Shop API has recovered after 4 minutes.',
    ]);
    const { mailed } = world.life;
    expect(mailed.map(({ content }) => 'status' in content && content.status)).toEqual([
      'INVESTIGATING',
      'MONITORING',
      'INVESTIGATING',
      'RESOLVED',
    ]);
    expect([...world.history.ofIncidents.mailings.values()]).toEqual(mailed);
  });

  it('mails nobody where it is not to', async () => {
    const world = await incidentWorld({
      triggerIncident: { ...TRIGGER, notifySubscribers: false },
    });
    await world.run('FP');
    expect([toldOf(world), world.life.mailed]).toEqual([['IR'], []]);
  });

  it('opens another one the next time', async () => {
    const world = await incidentWorld();
    await world.run('FPFP');
    expect(toldOf(world)).toEqual(['IR', 'IR']);
  });
});

describe.each<[string, string, Parameters<typeof incidentWorld>, string[]]>([
  ['degraded', 'PDDP', [], []],
  ['degraded, then failing', 'DFP', [], ['IR']],
  ['failing for our own reasons', 'Piiii', [], []],
  ['without a service to tell of', 'PFP', [{ triggerIncident: null }], []],
  ['muted', 'PFFP', [{ muted: true }], []],
  ['of a muted group', 'PFFP', [{ groupId: 1 }], []],
  ['without a channel to alert', 'FP', [{ alertChannelSubscriptions: [] }], ['IR']],
  ['failing less often than its threshold', 'FPFP', [{}, atThreshold(2)], []],
  ['failing as often as its threshold', 'FFFP', [{}, atThreshold(2)], ['IR']],
  ['degraded, failing at once before its threshold', 'DFP', [{}, atThreshold(3)], ['IR']],
  [
    'failing with reminders',
    'FFFFFP',
    [{}, { settings: { reminders: { amount: 3, interval: 1 } } }],
    ['IR'],
  ],
])('a check that is %s', (_, runs, given, told) => {
  it(`has the incidents ${JSON.stringify(told)} after ${runs}`, async () => {
    const world = await incidentWorld(...given);
    await world.configuration.groups.put(makeGroup('v2', { muted: true }));
    await world.run(runs);
    expect(toldOf(world)).toEqual(told);
  });
});

function atThreshold(failedRunThreshold: number) {
  return { settings: { runBasedEscalation: { failedRunThreshold } } };
}

describe('maintenance', () => {
  const visible = { enabled: true, suppressAutoIncidents: true };

  it.each<[string, object, string[]]>([
    ['silences alerts', { silenceAllAlerts: true }, []],
    [
      'suppresses incidents of all services',
      { statusPageVisibility: { ...visible, affectAllServices: true } },
      [],
    ],
    [
      'suppresses those of the service',
      { statusPageVisibility: { ...visible, serviceIds: [SERVICE] } },
      [],
    ],
    [
      'suppresses those of another service',
      { statusPageVisibility: { ...visible, serviceIds: [NO_SERVICE] } },
      ['IR'],
    ],
    [
      'shows on pages only',
      { statusPageVisibility: { enabled: true, affectAllServices: true } },
      ['IR'],
    ],
    [
      'is hidden',
      { statusPageVisibility: { suppressAutoIncidents: true, affectAllServices: true } },
      ['IR'],
    ],
  ])('that %s', async (_, members, told) => {
    const world = await incidentWorld();
    await world.run('P');
    await maintain(world, 10, members);
    await world.run('FFP');
    expect(toldOf(world)).toEqual(told);
  });

  it('that begins later resolves what is open all the same', async () => {
    const world = await incidentWorld();
    await world.run('F');
    await maintain(world, 10, { silenceAllAlerts: true });
    await world.run('P');
    expect(toldOf(world)).toEqual(['IR']);
  });
});

describe('an open incident is resolved by the first run that passes', () => {
  it.each<[string, object]>([
    ['muted', { muted: true }],
    ['without triggerIncident', { triggerIncident: null }],
    ['with another service', { triggerIncident: { ...TRIGGER, serviceId: NO_SERVICE } }],
  ])('of a check that is %s meanwhile', async (_, members) => {
    const world = await incidentWorld();
    await world.run('F');
    await world.edit(members);
    await world.run('FP');
    expect(toldOf(world)).toEqual(['IR']);
  });

  it('of one that was deactivated meanwhile', async () => {
    const world = await incidentWorld();
    await world.run('F');
    await world.edit({ activated: false });
    await world.restart();
    await world.edit({ activated: true });
    await world.run('F');
    expect(toldOf(world)).toEqual(['I…']);
    await world.run('P');
    expect(toldOf(world)).toEqual(['IR']);
  });

  it('also where the clock was set back: no update is before the one that it follows', async () => {
    const world = await incidentWorld();
    await world.run('F');
    world.life.clock.jump(-3_600_000);
    await world.run('P');
    const [incident] = incidentsOf(world);
    expect(toldOf(world)).toEqual(['IR']);
    expect(incident?.updates[1]?.publishedAt).toBe(incident?.updates[0]?.publishedAt);
    expect(incident?.updates[1]?.description).toBe(
      'Shop API has recovered after less than a second.',
    );
  });
});

describe('a flapping check', () => {
  it('has no incident with each of its changes', async () => {
    const world = await incidentWorld();
    await world.run('PF'.repeat(30));
    expect(toldOf(world)).toEqual(['IR', 'IR', 'IR']);
  });

  it('has one again once it has settled as failing', async () => {
    const world = await incidentWorld();
    await world.run(`${'PF'.repeat(6)}FFFFFFFFF`);
    expect(toldOf(world)).toEqual(['IR', 'IR', 'IR', 'I…']);
  });

  it('has no update with each of its changes', async () => {
    const world = await incidentWorld();
    await world.run('FD'.repeat(10));
    expect(toldOf(world)).toEqual(['IMIMI…']);
    await world.run('D'.repeat(11));
    expect(toldOf(world)).toEqual(['IMIMIM…']);
    await world.run('P');
    expect(toldOf(world)).toEqual(['IMIMIMR']);
  });
});

describe('the appliance', () => {
  it('opens no incident while it is offline, as no run says anything of its target', async () => {
    const clock = new SimulatedClock();
    const configuration = new MemoryConfiguration();
    const { channels } = configuration;
    const { connectivityMonitor: connectivity, probe } = connectivityMonitorWith({
      clock,
      channels,
      tell: async () => {},
    });
    const check = makeCheck('URL', { frequency: 1, retryStrategy: null, triggerIncident: TRIGGER });
    const monitor = await simulatedMonitor([check], { clock, configuration, connectivity });
    await addService(configuration);
    await clock.advance(3 * MINUTE);
    monitor.runner.outcome = FAILING;
    probe.isAlive = false;
    await clock.advance(5 * MINUTE);
    expect(monitor.history.ofIncidents.incidents.size).toBe(0);
    probe.isAlive = true;
    await clock.advance(5 * MINUTE);
    expect(monitor.history.ofIncidents.incidents.size).toBe(1);
  });

  it('opens one for a heartbeat whose ping is missing, and the next ping resolves it', async () => {
    const heartbeat = { period: 30, periodUnit: 'minutes', grace: 1, graceUnit: 'minutes' };
    const check = makeCheck('HEARTBEAT', { heartbeat, triggerIncident: TRIGGER } as never);
    const { root, clock, configuration, history } = await simulatedMonitor([check]);
    await addService(configuration);
    const ping = () => root.ping(check.id, { source: null, userAgent: null });
    await ping();
    await clock.advance(35 * MINUTE);
    const [opened] = history.ofIncidents.incidents.values();
    expect(opened?.updates).toMatchObject([{ publishedAt: clock.now() - 4 * MINUTE }]);
    await ping();
    await clock.advance(1);
    const [resolved] = history.ofIncidents.incidents.values();
    expect(resolved?.updates.map(({ status }) => status)).toEqual(['INVESTIGATING', 'RESOLVED']);
    expect(history.ofIncidents.incidents.size).toBe(1);
  });

  it('waits for the last retry', async () => {
    const retryStrategy = { type: 'FIXED', baseBackoffSeconds: 1, maxRetries: 2 };
    const world = await incidentWorld({ retryStrategy: retryStrategy as never });
    const { runner, clock } = world.life;
    runner.outcomes.push(FAILING, FAILING, {}, FAILING, FAILING, FAILING);
    while (runner.outcomes.length > 1) await clock.advance(500);
    expect(toldOf(world)).toEqual([]);
    await clock.advance(MINUTE);
    expect(toldOf(world)).toEqual(['IR']);
  });

  it('opens one for each check of a service', async () => {
    const checks = ['1', '2'].map((digit) =>
      makeCheck('URL', {
        id: `4c0f6a52-8f0e-4a57-9d53-00000000000${digit}`,
        frequency: 1,
        retryStrategy: null,
        triggerIncident: TRIGGER,
      }),
    );
    const { clock, configuration, history, runner } = await simulatedMonitor(checks);
    await addService(configuration);
    await addChannel(configuration, '1');
    runner.outcome = FAILING;
    await clock.advance(5 * MINUTE);
    const checkIds = history.ofIncidents.incidents
      .values()
      .map(({ automation }) => automation?.checkId);
    expect(new Set(checkIds)).toEqual(new Set(checks.map(({ id }) => id)));
  });

  it('opens none for a service that is gone, and says so', async () => {
    const check = makeCheck('URL', { frequency: 1, retryStrategy: null, triggerIncident: TRIGGER });
    const { log, lines } = recordedLog();
    const { clock, history, runner } = await simulatedMonitor([check], { log });
    runner.outcome = FAILING;
    await clock.advance(5 * MINUTE);
    expect(history.ofIncidents.incidents.size).toBe(0);
    const said = lines.filter(({ msg }) => msg.includes('opens no incident'));
    expect(said).toMatchObject([{ level: 'warn', checkId: check.id, serviceId: SERVICE }]);
  });
});
