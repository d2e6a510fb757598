import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { History } from '#main/store/history/history.ts';
import type { StoredIncident } from '#shared/incidents/incident.ts';
import { headOf } from '#shared/incidents/incident-rules.ts';
import type { MailingContent } from '#shared/status-pages/mailing.ts';
import {
  makeEndedIncident,
  makeIncident,
  makeMailing,
  makeSubscription,
  makeUpdate,
} from './incident-records.ts';
import { NOON } from './records.ts';

const NEVER = [v7(), 'no-uuid', ''];
const idsIn = (records: readonly { id: string }[]) => records.map(({ id }) => id);

/** The same incident after a change. */
const changed = (
  incident: StoredIncident,
  given: Partial<StoredIncident> = {},
): StoredIncident => ({
  ...incident,
  revision: incident.revision + 1,
  updatedAt: NOON + 1,
  ...given,
});

/** What every history does with incidents, subscriptions and mailings. */
export function incidentsContract(name: string, open: () => Promise<History>): void {
  // One for most tests, each with records of its own: starting threads takes a while.
  let history: History;
  beforeAll(async () => {
    history = await open();
  });
  afterAll(() => history.close());

  const listOf = (pageId: string) => history.listSubscriptions({ pageId, after: null, limit: 99 });

  async function withOwn(work: (own: History) => Promise<void>): Promise<void> {
    const own = await open();
    await work(own);
    await own.close();
  }

  describe(`incidents in the ${name}`, () => {
    test('whoever watches incidents hears of each write that holds some, once it is kept', async () => {
      const incident = makeIncident();
      const found: unknown[] = [];
      const stop = history.watchIncidents(() => found.push(history.findIncident(incident.id)));
      await history.write({ subscriptions: [makeSubscription()] });
      expect(found).toEqual([]);
      await history.write({ incidents: [incident] });
      expect(await Promise.all(found)).toEqual([incident]);
      stop();
      await history.write({ incidents: [changed(incident)] });
      expect(found).toHaveLength(1);
    });

    test('an incident is found by its id as it was last written', async () => {
      const incident = makeIncident({
        name: 'Größe "1"',
        automation: { checkId: randomUUID(), notifySubscribers: true },
      });
      await history.write({ incidents: [incident] });
      expect(await history.findIncident(incident.id)).toEqual(incident);
      const updates = [...incident.updates, makeUpdate({ status: 'RESOLVED' })];
      const after = changed(incident, { updates, automation: null });
      await history.write({ incidents: [after] });
      expect(await history.findIncident(incident.id)).toEqual(after);
    });

    test.each(NEVER)('nothing is found by the id %j', async (id) => {
      expect(await history.findIncident(id)).toBeNull();
      expect(await history.findSubscription(id)).toBeNull();
      expect(await listOf(id)).toEqual([]);
    });

    test('several incidents are found by their ids, newest first', async () => {
      const [one, other, gone] = [0, 1, 2].map((at) => makeIncident({ createdAt: NOON + at })) as [
        StoredIncident,
        StoredIncident,
        StoredIncident,
      ];
      await history.write({ incidents: [one, other, { ...gone, isDeleted: true }] });
      const ids = [one.id, v7(), 'no-uuid', gone.id, other.id];
      expect(await history.findIncidents(ids)).toEqual([other, one]);
      expect(await history.findIncidents([])).toEqual([]);
    });

    test('a revision that is no newer than what is stored is dropped', async () => {
      const first = makeIncident();
      const second = changed(first, { name: 'second' });
      await history.write({ incidents: [second, first, { ...second, name: 'late' }] });
      expect(await history.findIncident(first.id)).toEqual(second);
    });

    test('what is open counts: incidents neither resolved nor deleted, and mailings not done', () =>
      withOwn(async (own) => {
        const counted = async () => {
          const { openIncidents, openMailings } = await own.readLoad();
          return [openIncidents, openMailings];
        };
        expect(await counted()).toEqual([0, 0]);
        const [open, deleted] = [makeIncident(), makeIncident()];
        const incidents = [open, deleted, makeEndedIncident(NOON, NOON + 1)];
        const mailings = [makeMailing(), makeMailing({ status: 'DONE' })];
        await own.write({ incidents, mailings });
        await own.write({ incidents: [changed(deleted, { isDeleted: true })] });
        expect(await counted()).toEqual([1, 1]);
        expect((await own.readLoad()).fileBytes).toBeGreaterThan(0);
      }));

    test('a deleted incident is nowhere, and no later revision brings it back', () =>
      withOwn(async (own) => {
        const incident = makeIncident({
          automation: { checkId: randomUUID(), notifySubscribers: false },
        });
        await own.write({ incidents: [incident] });
        const gone = changed(incident, { isDeleted: true });
        await own.write({ incidents: [gone] });
        await own.write({ incidents: [changed(gone, { isDeleted: false })] });
        expect(await own.findIncident(incident.id)).toBeNull();
        expect(await own.listIncidents({ limit: 9 })).toEqual([]);
        expect(await own.loadAutomatedIncidents({ limit: 9 })).toEqual([]);
        expect(await own.listIncidentHeads({ from: 0, to: NOON + 9, limit: 9 })).toEqual([]);
      }));

    test('a list is newest first, by pages, from the last id seen', () =>
      withOwn(async (own) => {
        const [oldest, middle, newest] = [0, 1, 2].map((at) =>
          makeIncident({ createdAt: NOON + at }),
        ) as [StoredIncident, StoredIncident, StoredIncident];
        await own.write({ incidents: [middle, newest, oldest] });
        expect(await own.listIncidents({ limit: 2 })).toEqual([newest, middle]);
        expect(await own.listIncidents({ limit: 2, before: middle.id })).toEqual([oldest]);
        expect(await own.listIncidents({ limit: 2, before: oldest.id })).toEqual([]);
      }));

    test('those that automation looks after are loaded oldest first, until it lets go', () =>
      withOwn(async (own) => {
        const automation = { checkId: randomUUID(), notifySubscribers: false };
        const [first, second, third] = [0, 1, 2].map((at) =>
          makeIncident({ createdAt: NOON + at, automation }),
        ) as [StoredIncident, StoredIncident, StoredIncident];
        await own.write({ incidents: [third, makeIncident(), second, first] });
        expect(await own.loadAutomatedIncidents({ limit: 2 })).toEqual([first, second]);
        const rest = { limit: 2, after: second.id };
        expect(await own.loadAutomatedIncidents(rest)).toEqual([third]);
        await own.write({ incidents: [changed(third, { automation: null })] });
        expect(await own.loadAutomatedIncidents(rest)).toEqual([]);
      }));

    test('heads are of incidents that were open at some time of a period, newest start first', () =>
      withOwn(async (own) => {
        const before = makeEndedIncident(NOON, NOON + 9);
        const into = makeEndedIncident(NOON, NOON + 10);
        const within = makeEndedIncident(NOON + 12, NOON + 12);
        const across = makeEndedIncident(NOON + 1, NOON + 100);
        const beyond = makeEndedIncident(NOON + 19, NOON + 30);
        const after = makeEndedIncident(NOON + 20, NOON + 30);
        const stillOpen = makeIncident({ createdAt: NOON + 2 });
        const opensLater = makeIncident({ createdAt: NOON + 20 });
        const all = [before, into, within, across, beyond, after, stillOpen, opensLater];
        await own.write({ incidents: all });
        const heads = (limit: number) =>
          own.listIncidentHeads({ from: NOON + 10, to: NOON + 20, limit });
        const expected = [beyond, within, stillOpen, across, into].map(headOf);
        expect(await heads(9)).toEqual(expected);
        expect(await heads(2)).toEqual(expected.slice(0, 2));
      }));

    test('heads go by public dates, and one of the same start by the newest id', () =>
      withOwn(async (own) => {
        const updates = [makeUpdate({ publishedAt: NOON - 5_000 })];
        const [one, other] = [makeIncident({ updates }), makeIncident({ updates })];
        await own.write({ incidents: [one, other] });
        const newestFirst = idsIn([one, other]).toSorted().toReversed();
        const heads = (to: number) => own.listIncidentHeads({ from: 0, to, limit: 9 });
        expect(idsIn(await heads(NOON - 4_999))).toEqual(newestFirst);
        expect(await heads(NOON - 5_000)).toEqual([]);
      }));
  });

  describe(`subscriptions in the ${name}`, () => {
    test('a subscription is found, changed and ended by its id', async () => {
      const pending = makeSubscription({ status: 'PENDING' });
      await history.write({ subscriptions: [pending] });
      expect(await history.findSubscription(pending.id)).toEqual(pending);
      const verified = { ...pending, status: 'VERIFIED' as const, updatedAt: NOON + 1 };
      await history.write({ subscriptions: [verified] });
      expect(await history.findSubscription(pending.id)).toEqual(verified);
      await history.write({ endedSubscriptions: [pending.id, v7()] });
      expect(await history.findSubscription(pending.id)).toBeNull();
      expect(await listOf(pending.pageId)).toEqual([]);
    });

    test('a page has an address once, and those of a page are listed in the order of addresses', async () => {
      const pageId = randomUUID();
      const second = makeSubscription({ pageId, address: 'b@x.test', status: 'PENDING' });
      const first = makeSubscription({ pageId, address: 'a@x.test', createdAt: NOON + 1 });
      const { address } = first;
      const again = makeSubscription({ pageId, address, createdAt: NOON + 2 });
      const elsewhere = makeSubscription({ address });
      await history.write({ subscriptions: [second, first, again, elsewhere] });
      expect(await listOf(pageId)).toEqual([first, second]);
      expect(await history.listSubscriptions({ pageId, after: null, limit: 1 })).toEqual([first]);
      expect(await history.listSubscriptions({ pageId, after: address, limit: 1 })).toEqual([
        second,
      ]);
      expect(await history.findSubscription(again.id)).toBeNull();
      expect(await listOf(elsewhere.pageId)).toEqual([elsewhere]);
      const addresses = ['z@x.test', 'b@x.test'];
      const query = { pageId, addresses };
      expect(await history.findSubscriptions(query)).toEqual({ found: [second], total: 2 });
    });

    test('a page that is gone takes its subscriptions along, and no others', async () => {
      const [gone, other] = [makeSubscription(), makeSubscription()];
      await history.write({ subscriptions: [gone, other] });
      await history.write({ endedPages: [gone.pageId] });
      expect(await listOf(gone.pageId)).toEqual([]);
      expect(await listOf(other.pageId)).toEqual([other]);
    });

    test('subscribers of pages are the verified ones in the order of addresses, by pages', async () => {
      const [pageId, otherPage] = [randomUUID(), randomUUID()];
      const of = (address: string, given: object = {}) =>
        makeSubscription({ pageId, address, ...given });
      const [b, a, d] = [of('b@x.test'), of('a@x.test'), of('d@x.test', { pageId: otherPage })];
      const pending = of('c@x.test', { status: 'PENDING' });
      const foreign = of('c@x.test', { pageId: randomUUID() });
      await history.write({ subscriptions: [b, a, d, pending, foreign] });
      const list = (after: string | null, limit = 9) =>
        history.listSubscribers({ pageIds: [pageId, otherPage], after, limit });
      expect(await list(null)).toEqual([a, b, d]);
      expect(await list(null, 2)).toEqual([a, b]);
      expect(await list('b@x.test')).toEqual([d]);
      expect(await history.listSubscribers({ pageIds: [], after: null, limit: 9 })).toEqual([]);
    });
  });

  describe(`mailings in the ${name}`, () => {
    const news: MailingContent = {
      kind: 'maintenance',
      maintenanceId: randomUUID(),
      occasion: 'start',
      status: 'IN_PROGRESS',
      name: 'Move',
      description: '',
      startsAt: NOON,
      endsAt: NOON,
      services: [],
    };

    test('of the mailings that are due confirmations come first, then the oldest', () =>
      withOwn(async (own) => {
        const oldest = makeMailing({ content: news });
        const older = makeMailing({ content: news, createdAt: NOON + 1 });
        const confirmation = makeMailing({ createdAt: NOON + 2 });
        await own.write({ mailings: [confirmation, older, oldest] });
        for (const mailing of [confirmation, oldest, older]) {
          expect(await own.nextMailing(NOON + 2)).toEqual(mailing);
          await own.write({ mailings: [{ ...mailing, status: 'DONE' }] });
        }
        expect(await own.nextMailing(NOON + 2)).toBeNull();
      }));

    test('where none is due, the one that is due first comes next', () =>
      withOwn(async (own) => {
        const first = makeMailing({ content: news });
        const second = makeMailing({ createdAt: NOON + 1 });
        await own.write({ mailings: [first, second] });
        const deferred = [{ subscriptionId: randomUUID(), tries: 1, dueAt: NOON + 5 }];
        const waiting = { ...first, after: 'b@x.test', isAtEnd: true, deferred, dueAt: NOON + 5 };
        await own.write({ mailings: [waiting, { ...second, dueAt: NOON + 6 }] });
        expect(await own.nextMailing(NOON + 4)).toEqual(waiting);
        expect(await own.nextMailing(NOON + 6)).toEqual({ ...second, dueAt: NOON + 6 });
      }));

    test('a mailing that is done never changes again, and the same is mailed once', () =>
      withOwn(async (own) => {
        const mailing = makeMailing();
        const again = makeMailing({ key: mailing.key });
        await own.write({ mailings: [mailing, again] });
        expect(await own.nextMailing(NOON)).toEqual(mailing);
        await own.write({ mailings: [{ ...mailing, status: 'DONE' }] });
        await own.write({ mailings: [mailing, again] });
        expect(await own.nextMailing(NOON)).toBeNull();
      }));
  });
}
