import { describe, expect, it, test } from 'vitest';
import type { MaintenanceChange, MaintenanceStatus } from '#shared/maintenance/maintenance.ts';
import type { StatusPageVisibility } from '#shared/maintenance/visibility.ts';
import { planNews } from '#shared/status-pages/maintenance-news.ts';
import { changeOf, DAILY, publishedWindow } from '../../fixtures/published-windows.ts';

const at = (time: string) => Date.parse(`2026-05-${time}:00Z`);
const all = {
  notifyOnStart: true,
  notifyOnEnd: true,
  reminderMinutesBefore: [60],
  affectAllServices: true,
};

/** An update of the occurrence. */
const said = (status: MaintenanceStatus, time: string, notifySubscribers = false) => ({
  id: `5e1d6f3a-8a3b-4c3e-9a51-0d4f2b7c${time.replace(/\D/g, '').slice(2)}`,
  status,
  description: `It is ${status}`,
  notifySubscribers,
  created_at: new Date(at(time)).toISOString(),
  previousStatus: 'SCHEDULED' as const,
  previousStartsAt: null,
  previousEndsAt: null,
  dateAdjustments: null,
});

interface Scene {
  visibility?: Partial<StatusPageVisibility>;
  change?: Partial<MaintenanceChange>;
  updatedAt?: string;
}

const windowOf = ({ visibility = {}, change, updatedAt }: Scene) =>
  publishedWindow(
    { ...all, ...visibility },
    {
      changes: change === undefined ? [] : [changeOf('01', change)],
      updated_at: updatedAt === undefined ? null : new Date(at(updatedAt)).toISOString(),
    },
  );

/** What is mailed in all, as the minutes of two days pass: the time of each with its occasion. */
function mailed(scene: Scene): string[] {
  const window = windowOf(scene);
  const known = new Map<string, string>();
  for (let now = at('01T00:00'); now < at('03T00:00'); now += 60_000) {
    for (const { key, content } of planNews([window], now).due) {
      const time = new Date(now).toISOString().slice(8, 16);
      if (!known.has(key)) known.set(key, `${time} ${content.occasion} ${content.status}`);
    }
  }
  return [...known.values()];
}

const REMINDER = '01T09:00 reminder SCHEDULED';
const START = '01T10:00 start IN_PROGRESS';
const END = '01T12:00 end COMPLETED';

describe('subscribers are mailed', () => {
  it.each<[string, Scene, string[]]>([
    ['reminders, the start and the end', {}, [REMINDER, START, END]],
    [
      'nothing that the window does not ask for',
      { visibility: { notifyOnEnd: false } },
      [REMINDER, START],
    ],
    ['nothing of a hidden window', { visibility: { enabled: false } }, []],
    [
      'several reminders',
      { visibility: { ...all, reminderMinutesBefore: [120, 60] } },
      ['01T08:00 reminder SCHEDULED', REMINDER, START, END],
    ],
    ['nothing of what was cancelled', { change: { updates: [said('CANCELLED', '01T08:00')] } }, []],
    [
      'that it was cancelled, where people want that',
      { change: { updates: [said('CANCELLED', '01T08:00', true)] } },
      ['01T08:00 update CANCELLED'],
    ],
    ['nothing of what was deleted', { change: { isDeleted: true } }, []],
    [
      'by the times of one that was moved',
      { change: { startsAt: '2026-05-01T20:00:00Z', endsAt: '2026-05-01T21:00:00Z' } },
      ['01T19:00 reminder SCHEDULED', '01T20:00 start IN_PROGRESS', '01T21:00 end COMPLETED'],
    ],
    [
      'of a start that people brought forward, without a reminder',
      { change: { startsAt: '2026-05-01T08:30:00Z', updates: [said('IN_PROGRESS', '01T08:30')] } },
      ['01T08:30 start IN_PROGRESS', END],
    ],
    [
      'of a start that waits for people when they say so',
      { visibility: { autoStart: false }, change: { updates: [said('IN_PROGRESS', '01T10:20')] } },
      ['01T10:20 start IN_PROGRESS', END],
    ],
    ['of no start that waits for people', { visibility: { autoStart: false } }, [REMINDER]],
    [
      'of an end that waits for people when they say so',
      { visibility: { autoEnd: false }, change: { updates: [said('COMPLETED', '02T09:00')] } },
      [START, '02T09:00 end COMPLETED'],
    ],
    ['of no end that waits for people', { visibility: { autoEnd: false } }, [REMINDER, START]],
    [
      'once of an end, where an update says it',
      {
        change: { endsAt: '2026-05-01T11:00:00Z', updates: [said('COMPLETED', '01T11:00', true)] },
      },
      [START, '01T11:00 update COMPLETED'],
    ],
    ['nothing that was before the window became what it is', { updatedAt: '01T10:01' }, [END]],
  ])('%s', (_, scene, expected) => {
    expect(mailed(scene)).toEqual(expected);
  });
});

describe('after the appliance was off', () => {
  const due = (time: string) =>
    planNews([windowOf({})], at(time)).due.map(({ content }) => content.occasion);

  it.each([
    ['01T09:59', ['reminder']],
    // Nobody is reminded of what has begun.
    ['01T10:00', ['start']],
    ['01T10:59', ['start']],
    ['01T11:00', []],
    ['01T12:59', ['end']],
    ['01T13:00', []],
  ])('at %s news of the last hour are mailed', (time, expected) => {
    expect(due(time)).toEqual(expected);
  });
});

test('what an update says is its description, else that of the window', () => {
  const window = {
    ...windowOf({ change: { updates: [said('IN_PROGRESS', '01T10:00', true)] } }),
    description: 'We move it.',
  };
  const texts = (time: string) => planNews([window], at(time)).due.map((one) => one.content);
  expect(texts('01T10:00')).toMatchObject([
    { description: 'It is IN_PROGRESS', name: window.name },
  ]);
  expect(texts('01T12:00')).toMatchObject([{ description: 'We move it.' }]);
});

test('the next news of a daily window is always known', () => {
  const window = { ...windowOf({}), ...DAILY };
  const next = (time: string) => new Date(planNews([window], at(time)).nextAt ?? 0).toISOString();
  expect(next('07T09:00')).toBe('2026-05-07T10:00:00.000Z');
  expect(next('07T12:00')).toBe('2026-05-08T09:00:00.000Z');
  expect(planNews([windowOf({})], at('01T12:00')).nextAt).toBeNull();
});

test('an occurrence that is moved after its reminder has another one', () => {
  const keysAt = (time: string, change: Partial<MaintenanceChange>) =>
    planNews([windowOf({ change })], at(time)).due.map(({ key }) => key);
  const [before] = keysAt('01T09:00', {});
  const [after] = keysAt('01T19:00', {
    startsAt: '2026-05-01T20:00:00Z',
    endsAt: '2026-05-01T21:00:00Z',
  });
  expect(after).toMatch(/^maintenance .* reminder 60 /);
  expect(after).not.toBe(before);
});
