import { describe, expect, it, test } from 'vitest';
import {
  type DeferredMail,
  MAX_DEFERRED,
  type StoredMailing,
} from '#shared/status-pages/mailing.ts';
import {
  afterMail,
  atEnd,
  type MailingStep,
  type MailOutcome,
  nextStep,
} from '#shared/status-pages/mailing-rules.ts';
import { makeMailing } from '../../main/store/incident-records.ts';

const NOW = Date.UTC(2026, 0, 15);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ANN = { id: 'ann', address: 'ann@x.test' };

const mailing = (given: Partial<StoredMailing> = {}) => makeMailing({ createdAt: NOW, ...given });
const waiting = (dueAt: number, tries = 1): DeferredMail => ({
  subscriptionId: 'ann',
  tries,
  dueAt,
});

describe('the next step of a mailing', () => {
  const many = Array.from({ length: MAX_DEFERRED }, () => waiting(NOW + MINUTE));
  it.each<[string, Partial<StoredMailing>, MailingStep]>([
    ['the first address', {}, { kind: 'next' }],
    ['the next one, while one waits', { deferred: [waiting(NOW + 1)] }, { kind: 'next' }],
    [
      'one whose wait is over',
      { deferred: [waiting(NOW)] },
      { kind: 'retry', subscriptionId: 'ann' },
    ],
    ['to wait, where too many do', { deferred: many }, { kind: 'wait', until: NOW + MINUTE }],
    [
      'to wait for the last ones',
      { isAtEnd: true, deferred: [waiting(NOW + 9), waiting(NOW + 5)] },
      { kind: 'wait', until: NOW + 5 },
    ],
    ['its end', { isAtEnd: true }, { kind: 'finish' }],
    ['to be given up after a day', { createdAt: NOW - DAY - 1 }, { kind: 'giveUp' }],
    ['nothing else within a day', { createdAt: NOW - DAY }, { kind: 'next' }],
    [
      'one that waits, where the clock was set back',
      { deferred: [waiting(NOW + DAY)] },
      { kind: 'retry', subscriptionId: 'ann' },
    ],
  ])('is %s', (_, given, step) => {
    expect(nextStep(mailing(given), NOW)).toEqual(step);
  });
});

describe('after a mail', () => {
  it.each<[string, MailOutcome, DeferredMail[], Partial<StoredMailing>]>([
    ['sent', 'sent', [], { after: ANN.address, sent: 1, failed: 0, deferred: [] }],
    ['refused', 'refused', [], { after: ANN.address, sent: 0, failed: 1, deferred: [] }],
    [
      'failed',
      'failed',
      [],
      { after: ANN.address, sent: 0, failed: 0, deferred: [waiting(NOW + MINUTE)] },
    ],
    [
      'failed a second time',
      'failed',
      [waiting(0, 1)],
      { deferred: [waiting(NOW + 5 * MINUTE, 2)] },
    ],
    [
      'failed a third time',
      'failed',
      [waiting(0, 2)],
      { deferred: [waiting(NOW + 15 * MINUTE, 3)] },
    ],
    [
      'failed a fourth time',
      'failed',
      [waiting(0, 3)],
      { deferred: [waiting(NOW + 60 * MINUTE, 4)] },
    ],
    ['failed a fifth time', 'failed', [waiting(0, 4)], { failed: 1, deferred: [] }],
    ['sent at a later try', 'sent', [waiting(0, 3)], { sent: 1, failed: 0, deferred: [] }],
  ])('that was %s', (_, outcome, deferred, expected) => {
    expect(afterMail(mailing({ deferred }), ANN, { outcome, now: NOW })).toMatchObject(expected);
  });

  test('a later try leaves the mailing where it was among the addresses', () => {
    const before = mailing({ after: 'zoe@x.test', deferred: [waiting(NOW)] });
    expect(afterMail(before, ANN, { outcome: 'sent', now: NOW }).after).toBe('zoe@x.test');
  });

  test('a mailing is due when the first of its last ones is', () => {
    const after = atEnd(mailing({ deferred: [waiting(NOW + 9)] }), NOW);
    expect(after).toMatchObject({ isAtEnd: true, dueAt: NOW + 9, status: 'PENDING' });
  });
});
