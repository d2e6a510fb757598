import { afterAll, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { type IncidentEvent, incidentMachine } from '#main/incidents/incident.machine.ts';
import { uuidAt } from '#main/platform/uuid-at.ts';
import { MAX_INCIDENT_UPDATES, type StoredIncident } from '#shared/incidents/incident.ts';
import { SERVICE } from '../../fixtures/incident-world.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';

const coverage = new MachineCoverage(incidentMachine);
afterAll(() => coverage.expectFullCoverage());

const NOW = Date.UTC(2026, 0, 1);
const finding = { checkName: 'Shop', at: NOW + 60_000, now: NOW + 60_000, updateId: uuidAt(NOW) };
const update: StoredIncident['updates'][number] = {
  id: uuidAt(NOW),
  description: 'Down',
  status: 'INVESTIGATING',
  publishedAt: NOW,
  createdAt: NOW,
  notifySubscribers: true,
};
const opened: StoredIncident = {
  id: uuidAt(NOW),
  revision: 1,
  name: 'Down',
  severity: 'MAJOR',
  services: [{ id: SERVICE, name: 'Shop', created_at: '', updated_at: null }],
  updates: [update],
  automation: { checkId: SERVICE, notifySubscribers: true },
  createdAt: NOW,
  updatedAt: null,
  isDeleted: false,
};

const fails: IncidentEvent = { type: 'FAILS', finding };
const degraded: IncidentEvent = { type: 'DEGRADED', finding };
const passes: IncidentEvent = { type: 'PASSES', finding };
const letGo: IncidentEvent = { type: 'LET_GO', now: NOW };
const changed = (members: Partial<StoredIncident>): IncidentEvent => ({
  type: 'CHANGED',
  incident: { ...opened, revision: 2, ...members },
});
const full = Array.from({ length: MAX_INCIDENT_UPDATES - 1 }, () => update);

/** The machine after these events, from the incident given. */
function after(events: readonly IncidentEvent[], members: Partial<StoredIncident> = {}) {
  const incident = { ...opened, ...members };
  const actor = createActor(incidentMachine, { input: { incident }, inspect: coverage.inspect });
  actor.start();
  for (const event of events) actor.send(event);
  return actor.getSnapshot();
}

test.each<[string, IncidentEvent[], string, string, number]>([
  ['keeps failing', [fails, fails], 'failing', 'I', 1],
  ['is degraded', [degraded, degraded], 'watching', 'IM', 2],
  ['is degraded and fails again', [degraded, fails], 'failing', 'IMI', 3],
  ['passes', [passes], 'over', 'IR', 2],
  ['is degraded and passes', [degraded, passes], 'over', 'IMR', 3],
  ['is gone', [letGo], 'over', 'I', 2],
  ['is gone while degraded', [degraded, letGo], 'over', 'IM', 3],
])('the incident of a check that %s', (_, events, state, statuses, revision) => {
  const { value, context } = after(events);
  const told = context.incident.updates.map(({ status }) => status[0]).join('');
  expect([value, told, context.incident.revision]).toEqual([state, statuses, revision]);
});

test.each<[string, Partial<StoredIncident>, string]>([
  ['a new name', { name: 'Slow' }, 'failing'],
  ['an update, with which it is theirs', { automation: null }, 'over'],
  ['its deletion', { isDeleted: true }, 'over'],
])('a person makes of it %s', (_, members, state) => {
  const { value, context } = after([changed(members)]);
  expect([value, context.incident]).toEqual([state, { ...opened, revision: 2, ...members }]);
});

test('after a restart it goes on where it was', () => {
  const monitoring: StoredIncident['updates'][number] = { ...update, status: 'MONITORING' };
  expect(after([], { updates: [update, monitoring] }).value).toBe('watching');
  expect(after([], { automation: null }).value).toBe('over');
});

test('however often its check is degraded, there is room for its end', () => {
  const { value, context } = after([degraded], { updates: full });
  expect([value, context.incident.updates.length]).toEqual(['failing', full.length]);
  const watched = [...full.slice(1), { ...update, status: 'MONITORING' as const }];
  expect(after([fails], { updates: watched }).value).toBe('watching');
  expect(after([passes], { updates: full }).context.incident.updates).toHaveLength(
    MAX_INCIDENT_UPDATES,
  );
});
