import { describe, expect, it } from 'vitest';
import { alertSettings } from '#shared/checks/blocks.ts';
import type { CheckOf } from '#shared/checks/check.ts';
import { AlertWorld, addChannel, alertingCheck } from '../../fixtures/alert-world.ts';
import { makeGroup } from '../../fixtures/groups.ts';
import { maintain } from '../../fixtures/incident-world.ts';

it.each<[string, Partial<CheckOf<'URL'>>, string, string]>([
  ['no channel', { alertChannelSubscriptions: [] }, 'F', '(FAILURE unheard)'],
  ['a channel that wants no such alert', {}, 'D', '(DEGRADED unheard)'],
])('an alert for %s is kept as unheard', async (_, members, run, recorded) => {
  const flags = { sendDegraded: false };
  const world = await AlertWorld.begin(alertingCheck({}, members), { flags });
  await world.run(run);
  expect([world.recorded, world.told]).toEqual([[recorded], []]);
});

describe('a muted check', () => {
  it('records its alerts and sends none, also not once it is heard again', async () => {
    const world = await AlertWorld.begin(alertingCheck({}, { muted: true }));
    await world.run('PFF');
    await world.edit({ muted: false });
    await world.run('FP');
    expect(world.recorded).toEqual(['(FAILURE muted)', '(NO_ALERT untold)']);
    expect(world.told).toEqual([]);
  });

  it('is as muted by its group', async () => {
    const world = await AlertWorld.begin(alertingCheck({}, { groupId: 1 }));
    await world.configuration.groups.put(makeGroup('v2', { muted: true }));
    await world.run('F');
    expect(world.recorded).toEqual(['(FAILURE muted)']);
  });

  it('that is muted during a run is muted for it', async () => {
    const world = await AlertWorld.begin();
    world.life.runner.durationMs = 20_000;
    world.life.runner.outcomes.push({ hasFailures: true });
    await world.life.clock.advance(12_000);
    await world.edit({ muted: true });
    await world.life.clock.advance(20_000);
    expect(world.recorded).toEqual(['(FAILURE muted)']);
  });
});

describe('in maintenance', () => {
  it.each([
    ['of all alerts', { silenceAllAlerts: true }, []],
    ['of a tag of the check', { silenceAlertsTags: ['db'] }, []],
    ['of a tag of its group', { silenceAlertsTags: ['grouped'] }, []],
    ['of another tag', { silenceAlertsTags: ['web'] }, ['FAILURE']],
  ])('%s, alerts are held back for good', async (_, members, told) => {
    const world = await AlertWorld.begin(alertingCheck({}, { tags: ['db'], groupId: 1 }));
    await world.configuration.groups.put(makeGroup('v2', { tags: ['grouped'] }));
    await world.run('P');
    await maintain(world, 3, members);
    await world.run('FFFF');
    expect(world.told).toEqual(told);
    expect(world.alerts.map(({ withheld }) => withheld)).toEqual(
      told.length > 0 ? [null] : ['maintenance'],
    );
  });

  it('a row that reaches its threshold afterwards is told', async () => {
    const check = alertingCheck({ runBasedEscalation: { failedRunThreshold: 3 } });
    const world = await AlertWorld.begin(check);
    await world.run('P');
    await maintain(world, 2, { silenceAllAlerts: true });
    await world.run('FFFF');
    expect(world.told).toEqual(['FAILURE_REMAIN']);
  });
});

describe('settings', () => {
  const needsTwo = { runBasedEscalation: { failedRunThreshold: 2 } };

  it('of the group win where it has some, also on who is told', async () => {
    const world = await AlertWorld.begin(alertingCheck({}, { groupId: 1 }));
    await addChannel(world.configuration, '2');
    const group = {
      alertSettings: needsTwo,
      alertChannelSubscriptions: [{ alertChannelId: 2, activated: true }],
    };
    await world.configuration.groups.put(
      makeGroup('v2', { ...group, useGlobalAlertSettings: false }),
    );
    await world.run('FF');
    expect(world.recorded).toEqual(['FAILURE_REMAIN']);
    expect(
      world.sent.map(({ channelId, notice }) => [
        channelId,
        notice.kind === 'alert' && notice.groupName,
      ]),
    ).toEqual([['2', 'A group']]);
  });

  it('of the account count where the check says so', async () => {
    const world = await AlertWorld.begin(alertingCheck({}, { useGlobalAlertSettings: true }));
    const account = {
      id: 'a',
      name: 'A',
      runtimeId: '2025.04',
      created_at: '2026-01-01T00:00:00.000Z',
    };
    await world.configuration.account.put({
      ...account,
      alertSettings: alertSettings.parse(needsTwo),
    });
    await world.run('FF');
    expect(world.recorded).toEqual(['FAILURE_REMAIN']);
  });
});

describe('channels', () => {
  it('that do not want an alert, are switched off or gone are not told', async () => {
    const subscriptions = [1, 2, 3, 4].map((alertChannelId) => ({
      alertChannelId,
      activated: alertChannelId !== 3,
    }));
    const world = await AlertWorld.begin(
      alertingCheck({}, { alertChannelSubscriptions: subscriptions }),
    );
    await addChannel(world.configuration, '2', { sendFailure: false });
    await addChannel(world.configuration, '3');
    await world.run('FP');
    expect(
      world.sent.map(
        ({ channelId, notice }) => `${channelId} ${notice.kind === 'alert' && notice.alertType}`,
      ),
    ).toEqual(['1 ALERT_FAILURE', '1 ALERT_RECOVERY', '2 ALERT_RECOVERY']);
  });
});

describe('a deactivated check', () => {
  it('does not alert, and begins a new row when it is back', async () => {
    const world = await AlertWorld.begin(
      alertingCheck({ runBasedEscalation: { failedRunThreshold: 2 } }),
    );
    await world.run('F');
    await world.edit({ activated: false });
    await world.edit({ activated: true });
    await world.run('F');
    expect(world.recorded).toEqual([]);
    await world.run('F');
    expect(world.recorded).toEqual(['FAILURE_REMAIN']);
  });

  it('tells its recovery when it is back, if its trouble was told', async () => {
    const world = await AlertWorld.begin();
    await world.run('F');
    await world.edit({ activated: false });
    await world.restart();
    await world.edit({ activated: true });
    await world.run('P');
    expect(world.told).toEqual(['FAILURE', 'RECOVERY']);
  });
});

it('a flapping check is said once, and how it stands when it has settled', async () => {
  const world = await AlertWorld.begin();
  await world.run('PFPFPFPFPPPPPPPPPPP');
  expect(world.told).toEqual(['FAILURE', 'RECOVERY', 'FAILURE', 'RECOVERY', 'flapping', 'passing']);
  expect(world.recorded.slice(4)).toEqual([
    'FAILURE',
    '(RECOVERY flapping)',
    '(FAILURE flapping)',
    '(RECOVERY flapping)',
  ]);
  expect(world.sent[4]?.notice).toMatchObject({ kind: 'flapping', changes: 5, spanMs: 240_000 });
});
