import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlertWorld } from '../../fixtures/alert-world.ts';
import {
  incidentsOf,
  incidentWorld,
  personChanges,
  toldOf,
  withPersonsUpdate,
} from '../../fixtures/incident-world.ts';
import { RecordingHistory } from '../../fixtures/recording-history.ts';

/** What happens to a check: a run by its letter, or what somebody does. */
const STEPS = {
  P: (world: AlertWorld) => world.run('P'),
  D: (world: AlertWorld) => world.run('D'),
  F: (world: AlertWorld) => world.run('F'),
  i: (world: AlertWorld) => world.run('i'),
  update: (world: AlertWorld) => personChanges(world, withPersonsUpdate),
  rename: (world: AlertWorld) => personChanges(world, () => ({ name: 'Renamed' })),
  mute: (world: AlertWorld) => world.edit({ muted: true }),
  unmute: (world: AlertWorld) => world.edit({ muted: false }),
  forgetTrigger: (world: AlertWorld) => world.edit({ triggerIncident: null }),
} as const;
const RUNS = ['P', 'F', 'F', 'D', 'i'] as const;
const step = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...RUNS) },
  fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[])),
);

it('restarts between any two events change nothing', async () => {
  const stories = fc.array(fc.record({ step, restarts: fc.boolean() }), {
    minLength: 1,
    maxLength: 25,
  });
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const check = { frequency: 5 };
      const [calm, restless] = [await incidentWorld(check), await incidentWorld(check)];
      for (const { step: name, restarts } of story) {
        for (const world of [calm, restless]) await STEPS[name](world);
        if (restarts) await restless.restart();
      }
      expect(storyOf(restless)).toEqual(storyOf(calm));
      const automated = incidentsOf(calm).filter(({ automation }) => automation !== null);
      expect(automated.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 60 },
  );
});

function storyOf(world: AlertWorld) {
  const incidents = incidentsOf(world).map(({ id: _, updates, ...incident }) => ({
    ...incident,
    updates: updates.map(({ id: __, ...update }) => update),
  }));
  const mailings = [...world.history.ofIncidents.mailings.values()];
  return { incidents, mailed: mailings.map(({ content, createdAt }) => [createdAt, content.kind]) };
}

it('a run for our own reasons resolves nothing, also where the alerts of its check start anew', async () => {
  const world = await incidentWorld();
  await world.run('F');
  world.history.states.delete(world.check.id);
  await world.restart();
  await world.run('i');
  expect(toldOf(world)).toEqual(['I…']);
  await world.run('F');
  expect(toldOf(world)).toEqual(['I…']);
  await world.run('P');
  expect(toldOf(world)).toEqual(['IR']);
});

describe('while the store fails', () => {
  it('nobody is mailed; what was decided is written afterwards, once', async () => {
    const history = new RecordingHistory();
    const world = await incidentWorld({}, { history });
    await world.run('P');
    history.isFailing = true;
    await world.run('FDP');
    expect([toldOf(world), world.life.mailed]).toEqual([[], []]);
    history.isFailing = false;
    await world.life.clock.advance(10_000);
    expect([toldOf(world), world.life.mailed.length]).toEqual([['IMR'], 3]);
  });

  it('a kill forgets the failure with its incident, and the next run opens it', async () => {
    const history = new RecordingHistory();
    const world = await incidentWorld({}, { history });
    await world.run('P');
    history.isFailing = true;
    await world.run('F');
    history.isFailing = false;
    await world.restart();
    await world.run('FP');
    expect(toldOf(world)).toEqual(['IR']);
  });

  it('a kill forgets the recovery, and the next run resolves the incident', async () => {
    const history = new RecordingHistory();
    const world = await incidentWorld({}, { history });
    await world.run('F');
    history.isFailing = true;
    await world.run('P');
    history.isFailing = false;
    await world.restart();
    expect(toldOf(world)).toEqual(['I…']);
    await world.run('P');
    expect(toldOf(world)).toEqual(['IR']);
  });

  it.each([
    ['the opening', 'P', 'F', 'I…'],
    ['the end', 'PF', 'P', 'IR'],
  ])('%s of an incident that the store lost comes with the next run', async (_, ...story) => {
    const [runs, lost, told] = story;
    const history = new RecordingHistory();
    const world = await incidentWorld({}, { history });
    await world.run(runs);
    history.refusesNext = true;
    await world.run(lost);
    expect(toldOf(world)).not.toEqual([told]);
    await world.run(lost);
    expect(toldOf(world)).toEqual([told]);
  });

  it('the end of an incident that the store lost comes also where the check fails anew', async () => {
    const history = new RecordingHistory();
    const world = await incidentWorld({}, { history });
    await world.run('PF');
    history.refusesNext = true;
    await world.run('P');
    await world.run('F');
    expect(toldOf(world)).toEqual(['IR', 'I…']);
  });

  it('the end of an incident comes however often it was lost, without what was lost whole', async () => {
    const history = new RecordingHistory();
    const world = await incidentWorld({}, { history });
    await world.run('PF');
    for (const lost of 'PFPF') {
      history.refusesNext = true;
      await world.run(lost);
    }
    expect(toldOf(world)).toEqual(['I…']);
    await world.run('F');
    expect(toldOf(world)).toEqual(['IR', 'I…']);
  });
});
