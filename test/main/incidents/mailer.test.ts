import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { StoreError } from '#main/store/store-error.ts';
import type { StoredIncident } from '#shared/incidents/incident.ts';
import { withoutTexts } from '#shared/status-pages/incident-changes.ts';
import { MAX_DEFERRED } from '#shared/status-pages/mailing.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { ANSWERS, MailWorld } from '../../fixtures/mailings.ts';
import { incidentOf, pageOf } from '../../fixtures/public-pages.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const [ANN, BEN, CAT] = ['ann@x.test', 'ben@x.test', 'cat@x.test'] as const;

let world: MailWorld;
let page: StatusPage;
beforeEach(async () => {
  world = new MailWorld();
  page = await world.page();
  world.mailer.start();
  onTestFinished(() => world.mailer.stop());
});

const addresses = (count: number) =>
  Array.from({ length: count }, (_, n) => `reader-${String(n).padStart(4, '0')}@x.test`);

describe('a mailing goes', () => {
  test('to each verified subscriber of its pages once, in the order of addresses', async () => {
    const other = await world.page();
    const third = await world.page();
    await world.subscribe(page, [CAT, ANN]);
    await world.subscribe(other, [BEN, ANN]);
    await world.subscribe(third, ['third@x.test']);
    await world.subscribe(page, ['pending@x.test'], 'PENDING');
    const id = await world.post([page, other]);
    await world.clock.advance(HOUR);
    expect(world.mail.addresses).toEqual([ANN, BEN, CAT]);
    expect(world.mailing(id)).toMatchObject({ status: 'DONE', sent: 3, failed: 0 });
  });

  test('to more subscribers than are read together', async () => {
    const all = addresses(250);
    await world.subscribe(page, all);
    await world.post([page]);
    await world.clock.advance(HOUR);
    expect(world.mail.addresses).toEqual(all);
  });

  test('to nobody whose subscription ended meanwhile', async () => {
    const [, ben] = await world.subscribe(page, [ANN, BEN, CAT]);
    world.mail.answer = async (to) => {
      if (to === ANN) await world.history.write({ endedSubscriptions: [ben?.id ?? ''] });
      return ANSWERS.sent;
    };
    await world.post([page]);
    await world.clock.advance(HOUR);
    expect(world.mail.addresses).toEqual([ANN, CAT]);
  });

  test.each<[string, (incident: StoredIncident) => StoredIncident]>([
    ['its update was deleted', (one) => ({ ...one, revision: 2, updates: one.updates.slice(1) })],
    ['its incident was deleted', (one) => ({ ...withoutTexts(one), revision: 2 })],
  ])('to nobody else once %s', async (_, withdraw) => {
    const shown = await world.page({ cards: pageOf({ Shop: ['Search'] }).cards });
    await world.subscribe(shown, [ANN, BEN]);
    const at = { publishedAt: world.clock.now() };
    const incident = incidentOf(5, ['Search'], [at, at]);
    world.mail.answer = async () => {
      await world.history.write({ incidents: [withdraw(incident)] });
      return ANSWERS.sent;
    };
    const id = await world.postIncident(incident, [shown]);
    await world.clock.advance(HOUR);
    expect(world.mail.addresses).toEqual([ANN]);
    expect(world.mailing(id)).toMatchObject({ status: 'DONE', sent: 1 });
    expect(world.lines).toContain('A mailing was given up: what it says was deleted');
  });

  test('to nobody where its page is gone', async () => {
    await world.subscribe(page, [ANN]);
    await world.configuration.statusPages.delete(page.id);
    const id = await world.post([page]);
    await world.clock.advance(HOUR);
    expect(world.mail.addresses).toEqual([]);
    expect(world.mailing(id)).toMatchObject({ status: 'DONE' });
  });
});

describe('a confirmation', () => {
  test('comes before news that waits', async () => {
    await world.subscribe(page, [ANN, BEN]);
    const [cat] = await world.subscribe(page, [CAT], 'PENDING');
    const answered = Promise.withResolvers<void>();
    world.mail.answer = async () => {
      await answered.promise;
      return ANSWERS.sent;
    };
    await world.post([page]);
    await world.clock.advance(SECOND);
    await world.confirm(cat?.id ?? '');
    answered.resolve();
    await world.clock.advance(HOUR);
    expect(world.mail.addresses).toEqual([ANN, CAT, BEN]);
  });

  test('is sent once, and not to somebody who confirmed already', async () => {
    const [ann] = await world.subscribe(page, [ANN], 'PENDING');
    const [ben] = await world.subscribe(page, [BEN]);
    const ids = [await world.confirm(ann?.id ?? ''), await world.confirm(ben?.id ?? '')];
    await world.clock.advance(HOUR);
    expect(world.mail.addresses).toEqual([ANN]);
    for (const id of ids) expect(world.mailing(id)?.status).toBe('DONE');
  });
});

test('not more mails go out in a minute than the operator allows', async () => {
  await world.mailer.stop();
  world.mailer = world.open(2);
  world.mailer.start();
  await world.subscribe(page, addresses(5));
  const startedAt = world.clock.now();
  await world.post([page]);
  await world.clock.advance(HOUR);
  const minutes = world.mail.tried.map(({ at }) => Math.floor((at - startedAt) / MINUTE));
  expect(minutes).toEqual([0, 0, 1, 1, 2]);
});

describe('while the mail server is down', () => {
  test('nobody is skipped, and the pauses grow', async () => {
    await world.subscribe(page, [ANN, BEN]);
    const startedAt = world.clock.now();
    world.mail.answer = () => (world.mail.tried.length < 5 ? ANSWERS.down : ANSWERS.sent);
    const id = await world.post([page]);
    await world.clock.advance(2 * HOUR);
    expect(world.mail.taken).toEqual([ANN, BEN]);
    expect(world.mail.tried.map(({ at }) => (at - startedAt) / SECOND)).toEqual([
      0, 15, 45, 105, 225, 225,
    ]);
    expect(world.mailing(id)).toMatchObject({ status: 'DONE', sent: 2, failed: 0 });
    expect(world.lines).toEqual([
      'Mails to subscribers wait: down',
      'Mails to subscribers are sent again.',
      'A mailing is done.',
    ]);
  });

  test('mailings are given up after a day', async () => {
    await world.subscribe(page, [ANN]);
    world.mail.answer = () => ANSWERS.down;
    const id = await world.post([page]);
    await world.clock.advance(25 * HOUR);
    expect(world.mailing(id)).toMatchObject({ status: 'DONE', sent: 0 });
    expect(world.lines.at(-1)).toBe('A mailing was given up: it is older than a day');
    // No pause is longer than ten minutes.
    expect(world.mail.tried.length).toBeGreaterThan(140);
  });
});

describe('an address', () => {
  test('that is refused counts as failed, and the next comes at once', async () => {
    await world.subscribe(page, [ANN, BEN]);
    world.mail.answer = (to) => (to === ANN ? ANSWERS.refused : ANSWERS.sent);
    const id = await world.post([page]);
    await world.clock.advance(2 * HOUR);
    expect(world.mail.addresses).toEqual([ANN, BEN]);
    expect(world.mailing(id)).toMatchObject({ status: 'DONE', sent: 1, failed: 1 });
  });

  test('that fails for now is tried five times, and delays no other', async () => {
    await world.subscribe(page, [ANN, BEN]);
    const startedAt = world.clock.now();
    world.mail.answer = (to) => (to === ANN ? ANSWERS.failed : ANSWERS.sent);
    const id = await world.post([page]);
    await world.clock.advance(3 * HOUR);
    expect(world.mail.tried.map(({ to, at }) => [to, (at - startedAt) / MINUTE])).toEqual([
      [ANN, 0],
      [BEN, 0],
      [ANN, 1],
      [ANN, 6],
      [ANN, 21],
      [ANN, 81],
    ]);
    expect(world.mailing(id)).toMatchObject({ status: 'DONE', sent: 1, failed: 1, deferred: [] });
  });

  test('that works at a later try has the mail once', async () => {
    await world.subscribe(page, [ANN]);
    world.mail.answer = () => (world.mail.tried.length < 3 ? ANSWERS.failed : ANSWERS.sent);
    const id = await world.post([page]);
    await world.clock.advance(3 * HOUR);
    expect(world.mail.taken).toEqual([ANN]);
    expect(world.mailing(id)).toMatchObject({ status: 'DONE', sent: 1, failed: 0 });
  });

  test('whose subscription ends before its next try is left alone', async () => {
    const [ann] = await world.subscribe(page, [ANN]);
    world.mail.answer = () => ANSWERS.failed;
    const id = await world.post([page]);
    await world.clock.advance(SECOND);
    await world.history.write({ endedSubscriptions: [ann?.id ?? ''] });
    await world.clock.advance(3 * HOUR);
    expect(world.mail.addresses).toEqual([ANN]);
    expect(world.mailing(id)?.status).toBe('DONE');
  });

  test('waits its turn where too many others fail for now', async () => {
    await world.subscribe(page, addresses(MAX_DEFERRED + 1));
    world.mail.answer = () => ANSWERS.failed;
    await world.post([page]);
    await world.clock.advance(59 * SECOND);
    expect(world.mail.tried).toHaveLength(MAX_DEFERRED);
    world.mail.answer = () => ANSWERS.sent;
    await world.clock.advance(HOUR);
    expect(world.mail.taken).toHaveLength(MAX_DEFERRED + 1);
  });

  test('for which no mail can be made is tried again, and delays no other', async () => {
    await world.subscribe(page, [ANN, BEN]);
    world.mail.answer = (to) => {
      if (to === ANN) throw new Error('A fault of ours');
      return ANSWERS.sent;
    };
    await world.post([page]);
    await world.clock.advance(3 * HOUR);
    expect(world.mail.taken).toEqual([BEN]);
    expect(world.mail.addresses.filter((to) => to === ANN)).toHaveLength(5);
  });
});

describe('a restart', () => {
  test('goes on where the mailing was, and sends at most one mail twice', async () => {
    const all = addresses(20);
    await world.subscribe(page, all);
    await world.post([page]);
    for (let restarts = 0; restarts < 19; restarts += 1) {
      const before = world.mail.tried.length;
      // The mailer is left as a kill leaves it: the mail is out, and nobody wrote it down.
      const killed = world.history;
      const write = killed.write.bind(killed);
      world.mail.answer = () => {
        killed.write = () => new Promise(() => {});
        return ANSWERS.sent;
      };
      await world.clock.advance(SECOND);
      expect(world.mail.tried.length).toBeLessThanOrEqual(before + 1);
      killed.write = write;
      world.mailer = world.open();
      world.mail.answer = () => ANSWERS.sent;
      world.mailer.start();
      await world.clock.advance(0);
    }
    await world.clock.advance(HOUR);
    expect([...new Set(world.mail.taken)]).toEqual(all);
  });
});

test('nothing more is sent until what became of a mail is written', async () => {
  await world.subscribe(page, [ANN, BEN]);
  const write = world.history.write.bind(world.history);
  world.mail.answer = () => {
    world.history.write = async () => {
      throw new StoreError('FULL', 'The disk is full.');
    };
    return ANSWERS.sent;
  };
  await world.post([page]);
  await world.clock.advance(MINUTE);
  expect(world.mail.addresses).toEqual([ANN]);
  world.history.write = write;
  world.mail.answer = () => ANSWERS.sent;
  await world.clock.advance(MINUTE);
  expect(world.mail.addresses).toEqual([ANN, BEN]);
});

test('without a mail server mailings end at once, which is said once', async () => {
  world.mail.isSet = false;
  await world.subscribe(page, [ANN]);
  const ids = [await world.post([page]), await world.post([page])];
  await world.clock.advance(SECOND);
  expect(ids.map((id) => world.mailing(id)?.status)).toEqual(['DONE', 'DONE']);
  expect(world.mail.tried).toEqual([]);
  expect(world.lines).toEqual([
    'No mail server is set, so subscribers get no mails: WATCHPOST_SMTP_HOST',
  ]);
});

test('a stop waits for the mail under way, and for nothing else', async () => {
  await world.subscribe(page, [ANN, BEN]);
  const answered = Promise.withResolvers<void>();
  world.mail.answer = async () => {
    await answered.promise;
    return ANSWERS.sent;
  };
  const id = await world.post([page]);
  await world.clock.advance(SECOND);
  const stopped = world.mailer.stop();
  answered.resolve();
  await stopped;
  expect(world.mail.taken).toEqual([ANN]);
  expect(world.mailing(id)).toMatchObject({ status: 'PENDING', after: ANN, sent: 1 });
});
