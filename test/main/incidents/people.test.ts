import { describe, expect, it } from 'vitest';
import type { StoredIncident } from '#shared/incidents/incident.ts';
import {
  incidentsOf,
  incidentWorld,
  personChanges,
  toldOf,
  withPersonsUpdate,
} from '../../fixtures/incident-world.ts';
import { RecordingHistory } from '../../fixtures/recording-history.ts';

const asDeleted = (): Partial<StoredIncident> => ({ isDeleted: true, automation: null });
const renamed = (): Partial<StoredIncident> => ({ name: 'Payments are slow' });

describe('an open incident', () => {
  it('that a person updates is theirs', async () => {
    const world = await incidentWorld();
    await world.run('F');
    const [opened] = incidentsOf(world) as [StoredIncident];
    expect(world.life.incidents.find(opened.id)).toEqual(opened);
    await personChanges(world, withPersonsUpdate);
    expect(world.life.incidents.find(opened.id)).toBeUndefined();
    await world.run('FP');
    expect(toldOf(world)).toEqual(['II']);
  });

  it('whose name a person changes is still looked after', async () => {
    const world = await incidentWorld();
    await world.run('F');
    await personChanges(world, renamed);
    await world.run('DP');
    expect(toldOf(world)).toEqual(['IMR']);
    expect(incidentsOf(world)[0]).toMatchObject({ name: 'Payments are slow', revision: 4 });
  });

  it.each([
    ['updated', withPersonsUpdate],
    ['deleted', asDeleted],
  ])('that a person %s has no second beside it for the same trouble', async (_, change) => {
    const world = await incidentWorld();
    await world.run('F');
    await personChanges(world, change);
    await world.run('DF');
    await world.restart();
    await world.run('F');
    expect(incidentsOf(world)).toHaveLength(1);
    await world.run('PF');
    expect(toldOf(world).at(-1)).toBe('I…');
    expect(incidentsOf(world)).toHaveLength(2);
  });

  it('is looked after as before where what a person did could not be written', async () => {
    const history = new RecordingHistory();
    const world = await incidentWorld({}, { history });
    await world.run('F');
    history.isFailing = true;
    await personChanges(world, withPersonsUpdate);
    await personChanges(world, renamed);
    history.isFailing = false;
    await world.run('P');
    expect(toldOf(world)).toEqual(['IR']);
    expect(incidentsOf(world)[0]?.name).toBe('Shop is down');
  });

  it('keeps what was not written of a person where automation moved on from it', async () => {
    const world = await incidentWorld();
    await world.run('F');
    const { incidents } = world.life;
    const [opened] = incidentsOf(world) as [StoredIncident];
    const takeBack = incidents.change({ ...opened, ...renamed(), revision: 2 });
    await world.run('D');
    takeBack();
    await world.run('P');
    takeBack();
    await world.run('P');
    expect(toldOf(world)).toEqual(['IMR']);
    expect(incidents.find(opened.id)).toBeUndefined();
  });

  it('that is resolved already takes an update of a person', async () => {
    const history = new RecordingHistory();
    const world = await incidentWorld({}, { history });
    await world.run('F');
    history.isFailing = true;
    await world.run('P');
    const [opened] = incidentsOf(world) as [StoredIncident];
    expect(world.life.incidents.find(opened.id)?.updates).toHaveLength(2);
    await personChanges(world, withPersonsUpdate);
    history.isFailing = false;
    await personChanges(world, withPersonsUpdate);
    await world.life.clock.advance(10_000);
    expect(toldOf(world)).toEqual(['IRI']);
  });
});

describe('the incident of a check that is gone', () => {
  it('is left to people when the check is deleted', async () => {
    const world = await incidentWorld();
    await world.run('F');
    await world.configuration.checks.delete(world.check.id);
    await world.life.clock.advance(1);
    expect([toldOf(world), incidentsOf(world)[0]?.revision]).toEqual([['I'], 2]);
  });

  it('is left to people at the next start, where the deletion was cut short', async () => {
    const history = new RecordingHistory();
    const world = await incidentWorld({}, { history });
    await world.run('F');
    history.isFailing = true;
    await world.configuration.checks.delete(world.check.id);
    history.isFailing = false;
    expect(toldOf(world)).toEqual(['I…']);
    await world.restart();
    await world.life.clock.advance(1);
    expect(toldOf(world)).toEqual(['I']);
  });

  it('waits for the check where its file has checks that cannot be read', async () => {
    const world = await incidentWorld();
    await world.run('F');
    await world.configuration.checks.delete(world.check.id);
    const [incident] = incidentsOf(world) as [StoredIncident];
    const automation = { checkId: world.check.id, notifySubscribers: true };
    await world.history.write({ incidents: [{ ...incident, revision: 3, automation }] });
    world.configuration.checks.unreadable = 1;
    await world.restart();
    await world.life.clock.advance(1);
    expect(toldOf(world)).toEqual(['I…']);
  });
});
