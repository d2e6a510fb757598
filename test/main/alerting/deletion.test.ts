import { expect, test } from 'vitest';
import { AlertWorld } from '../../fixtures/alert-world.ts';

test.each([
  ['failing', 'PF', true],
  ['degraded', 'PD', true],
  ['failing, after a restart', 'PF restart', true],
  ['recovered', 'PFP', false],
  ['passing', 'P', false],
])(
  'a %s check that is deleted has its incident resolved where one is open',
  async (_, life, isOpen) => {
    const world = await AlertWorld.begin();
    const [runs = '', restart] = life.split(' ');
    await world.run(runs);
    if (restart) await world.restart();
    await world.configuration.checks.delete(world.check.id);
    const resolved = [{ checkId: world.check.id, channelIds: ['1'] }];
    expect(world.life.outbox.resolved).toEqual(isOpen ? resolved : []);
  },
);
