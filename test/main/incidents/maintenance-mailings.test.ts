import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createActor } from 'xstate';
import { MaintenanceMailings } from '#main/incidents/maintenance-mailings.ts';
import { maintenanceNewsMachine } from '#main/incidents/maintenance-news.machine.ts';
import { actorClock } from '#main/platform/actor-clock.ts';
import type { StoredMailing } from '#shared/status-pages/mailing.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { changeOf, publishedWindow, saying } from '../../fixtures/published-windows.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { makePageService, makeStatusPage } from '../../fixtures/status-pages.ts';

const HOUR = 3_600_000;
const at = (time: string) => Date.parse(`2026-05-${time}:00Z`);
const shown = makePageService({ name: 'Checkout' });
const page = makeStatusPage([shown]);
const other = makeStatusPage([makePageService()]);

let clock: SimulatedClock;
let history: MemoryHistory;
let configuration: MemoryConfiguration;
let enqueued: StoredMailing[];
beforeEach(async () => {
  clock = new SimulatedClock(at('01T08:00'));
  history = new MemoryHistory();
  configuration = new MemoryConfiguration();
  enqueued = [];
  await configuration.pageServices.put(shown);
  for (const one of [page, other]) await configuration.statusPages.put(one);
});

function open(): MaintenanceMailings {
  const mailings = { enqueue: (some: readonly StoredMailing[]) => void enqueued.push(...some) };
  const opened = new MaintenanceMailings({ clock, history, configuration, mailings });
  opened.start();
  onTestFinished(() => opened.stop());
  return opened;
}

const window = publishedWindow({
  serviceIds: [shown.id],
  notifyOnStart: true,
  notifyOnEnd: true,
  reminderMinutesBefore: [60],
});

const stored = () =>
  [...history.ofIncidents.mailings.values()].map(({ content, createdAt }) => [
    new Date(createdAt).toISOString().slice(8, 16),
    content.kind === 'maintenance' && content.occasion,
  ]);

test('pages that show a service of a window have its news mailed at their times', async () => {
  await configuration.maintenanceWindows.put(window);
  open();
  await clock.advance(5 * HOUR);
  expect(stored()).toEqual([
    ['01T09:00', 'reminder'],
    ['01T10:00', 'start'],
    ['01T12:00', 'end'],
  ]);
  expect(enqueued).toEqual([...history.ofIncidents.mailings.values()]);
  expect(enqueued[0]).toMatchObject({
    pageIds: [page.id],
    content: { name: 'Database move', services: [{ id: shown.id, name: 'Checkout' }] },
  });
});

test('a restart and a change of the window mail nothing again', async () => {
  await configuration.maintenanceWindows.put(window);
  open();
  await clock.advance(2.5 * HOUR);
  open();
  await configuration.maintenanceWindows.put({ ...window });
  await clock.advance(HOUR / 4);
  expect(stored()).toHaveLength(2);
});

test('what people say is mailed at once', async () => {
  await configuration.maintenanceWindows.put(window);
  open();
  await clock.advance(HOUR / 2);
  const updates = saying('CANCELLED').updates.map((update) => ({
    ...update,
    notifySubscribers: true,
    created_at: new Date(clock.now()).toISOString(),
  }));
  await configuration.maintenanceWindows.put({ ...window, changes: [changeOf('01', { updates })] });
  await clock.advance(0);
  expect(stored()).toEqual([['01T08:30', 'update']]);
  await clock.advance(5 * HOUR);
  expect(stored()).toHaveLength(1);
});

test('a machine that slept mails what was due meanwhile', async () => {
  await configuration.maintenanceWindows.put(window);
  open();
  await clock.advance(HOUR / 2);
  clock.jump(2 * HOUR);
  await clock.advance(60_000);
  expect(stored()).toEqual([['01T10:31', 'start']]);
});

test('news that no page shows, or that hides its services, say so', async () => {
  await configuration.maintenanceWindows.put({
    ...publishedWindow({ serviceIds: [makePageService().id], notifyOnStart: true }),
    id: '2',
  });
  await configuration.maintenanceWindows.put({
    ...publishedWindow({ affectAllServices: true, notifyOnStart: true }),
    id: '3',
  });
  open();
  await clock.advance(3 * HOUR);
  expect(enqueued).toMatchObject([{ pageIds: [page.id, other.id], content: { services: [] } }]);
});

const coverage = new MachineCoverage(maintenanceNewsMachine);
afterAll(() => coverage.expectFullCoverage());

test('the machine mails what is due in time, after a failure of the store, and after a change meanwhile', async () => {
  let calls = 0;
  const first = Promise.withResolvers<number | null>();
  const answers = [
    () => first.promise,
    () => Promise.reject(new Error('The store is busy.')),
    async () => clock.now() + 90_000,
  ];
  const mailDue = () => {
    calls += 1;
    return (answers.shift() ?? (async () => null))();
  };
  const actor = createActor(maintenanceNewsMachine, {
    clock: actorClock(clock),
    inspect: coverage.inspect,
    input: { clock, mailDue },
  }).start();
  onTestFinished(() => void actor.stop());
  actor.send({ type: 'CHANGED' });
  first.resolve(null);
  await clock.advance(0);
  // The change had it look once more, which failed.
  expect([calls, actor.getSnapshot().value]).toEqual([2, 'storeFailing']);
  await clock.advance(5_000);
  expect([calls, actor.getSnapshot().value]).toEqual([3, 'waiting']);
  await clock.advance(89_999);
  expect(calls).toBe(3);
  await clock.advance(1);
  expect(calls).toBe(4);
  actor.send({ type: 'CHANGED' });
  await clock.advance(0);
  expect(calls).toBe(5);
});
