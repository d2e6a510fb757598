import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createActor } from 'xstate';
import {
  type Found,
  type MailingMachinePort,
  mailingMachine,
} from '#main/incidents/mailing.machine.ts';
import { actorClock } from '#main/platform/actor-clock.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { makeStatusPage } from '../../fixtures/status-pages.ts';
import { makeMailing, makeSubscription } from '../store/incident-records.ts';

const coverage = new MachineCoverage(mailingMachine);
afterAll(() => coverage.expectFullCoverage());

const START = Date.UTC(2026, 0, 1);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const page = makeStatusPage();
const nothing: Found = { job: null, until: null };

function mail(): Found {
  const mailing = makeMailing();
  const recipient = { mailingId: mailing.id, page, subscription: makeSubscription() };
  return { job: { mailing, recipient } };
}

/** A machine whose port finds a mail so many times, and does else what a test says. */
function start(mails: number, port: Partial<MailingMachinePort> = {}, perMinute = 1_000) {
  const clock = new SimulatedClock();
  const sent: number[] = [];
  let left = mails;
  const parts: MailingMachinePort = {
    find: async () => {
      left -= 1;
      return left >= 0 ? mail() : nothing;
    },
    send: async () => {
      sent.push(clock.now());
      return 'sent';
    },
    write: async () => {},
    ...port,
  };
  const actor = createActor(mailingMachine, {
    clock: actorClock(clock),
    inspect: coverage.inspect,
    input: { clock, perMinute, port: parts },
  });
  onTestFinished(() => void actor.stop());
  const add = (more: number) => {
    left = more;
  };
  return { clock, sent, actor: actor.start(), add, state: () => actor.getSnapshot().value };
}

const idle = { waiting: 'idle' };

test('an idle machine sends what comes at once', async () => {
  const { clock, sent, actor, add, state } = start(0);
  await clock.advance(0);
  expect(state()).toEqual(idle);
  add(2);
  actor.send({ type: 'WAKE' });
  await clock.advance(0);
  expect(sent).toHaveLength(2);
  expect(state()).toEqual(idle);
});

test('a mailing that comes while the next one is looked for is not missed', async () => {
  const looked = Promise.withResolvers<Found>();
  const finds = [looked.promise, Promise.resolve(mail())];
  const { clock, sent, actor } = start(0, { find: async () => finds.shift() ?? nothing });
  actor.send({ type: 'WAKE' });
  looked.resolve(nothing);
  await clock.advance(0);
  expect(sent).toHaveLength(1);
});

test('an idle machine looks again when something is due', async () => {
  const finds: Found[] = [{ job: null, until: START + 5 * SECOND }, mail()];
  const { clock, sent } = start(0, { find: async () => finds.shift() ?? nothing });
  await clock.advance(5 * SECOND - 1);
  expect(sent).toEqual([]);
  await clock.advance(1);
  expect(sent).toHaveLength(1);
});

test('mails beyond the rate wait', async () => {
  const { clock, sent, state } = start(3, {}, 2);
  await clock.advance(0);
  expect([sent.length, state()]).toEqual([2, { waiting: 'limited' }]);
  await clock.advance(MINUTE);
  expect([sent.length, state()]).toEqual([3, idle]);
});

test('a server that is down is left alone for a while', async () => {
  const answers = ['down', 'down'] as const;
  let tries = 0;
  const { clock, state } = start(3, { send: async () => answers[tries++] ?? 'sent' });
  await clock.advance(0);
  expect(state()).toEqual({ waiting: 'serverDown' });
  await clock.advance(15 * SECOND);
  expect(state()).toEqual({ waiting: 'serverDown' });
  await clock.advance(30 * SECOND);
  expect(state()).toEqual(idle);
});

test('a store that fails is asked again', async () => {
  let tries = 0;
  const fail = async () => {
    tries += 1;
    if (tries % 2 === 1) throw new Error('The store is busy.');
  };
  const { clock, sent, state } = start(1, { write: fail });
  await clock.advance(0);
  expect(state()).toEqual({ waiting: 'toWrite' });
  await clock.advance(5 * SECOND);
  expect([sent.length, state()]).toEqual([1, idle]);
});

test('a store that cannot be read is asked again', async () => {
  const finds = [() => Promise.reject(new Error('The store is busy.')), async () => mail()];
  const { clock, sent, state } = start(0, {
    find: () => finds.shift()?.() ?? Promise.resolve(nothing),
  });
  await clock.advance(0);
  expect(state()).toEqual({ waiting: 'storeFailing' });
  await clock.advance(5 * SECOND);
  expect([sent.length, state()]).toEqual([1, idle]);
});

test('a stop ends an idle machine at once', async () => {
  const { clock, actor, state } = start(0);
  await clock.advance(0);
  actor.send({ type: 'STOP' });
  expect(state()).toBe('stopped');
});

test('a stop while the next mail is looked for sends nothing', async () => {
  const { clock, sent, actor, state } = start(1);
  actor.send({ type: 'STOP' });
  await clock.advance(0);
  expect([sent.length, state()]).toEqual([0, 'stopped']);
});

test('a stop waits until the mail under way is written', async () => {
  const written = Promise.withResolvers<void>();
  const { clock, sent, actor, state } = start(2, { write: () => written.promise });
  await clock.advance(0);
  actor.send({ type: 'STOP' });
  expect(state()).toBe('writing');
  written.resolve();
  await clock.advance(0);
  expect([sent.length, state()]).toEqual([1, 'stopped']);
});
