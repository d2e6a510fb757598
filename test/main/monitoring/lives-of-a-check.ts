import fc from 'fast-check';
import type { HistoryRecords } from '#main/store/history/history.ts';
import { StoreError } from '#main/store/store-error.ts';
import { nextSlot, type Schedule, scheduleOf, slotsBetween } from '#shared/checks/schedule.ts';
import { groupOf, withGroup } from '#shared/groups/merge-group.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeGroup } from '../../fixtures/groups.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { order, RecordingFollower } from '../../fixtures/recording-follower.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { FAILING, simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

/** A store that fails while it is told to. */
class FailingHistory extends MemoryHistory {
  isFailing = false;
  /** Whether the process is about to be killed: what it writes now never comes to the disk. */
  isTooLate = false;

  override async write(facts: HistoryRecords): Promise<void> {
    if (this.isTooLate) return new Promise(() => {});
    if (this.isFailing) throw new StoreError('FULL', 'The disk is full.');
    await super.write(facts);
  }
}

const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const retryStrategy = {
  type: 'LINEAR',
  baseBackoffSeconds: 20,
  sameRegion: true,
  maxRetries: 3,
};

/** What an edit changes. */
type Edit = 'name' | 'schedule' | 'activated' | 'group';

export type Step =
  | { do: 'advance'; ms: number }
  | { do: 'outcomes'; failing: boolean[]; durationMs: number }
  | { do: 'restart'; killed: boolean; downMs: number }
  | { do: 'jump'; ms: number }
  | { do: 'order' }
  | { do: 'cancel' }
  | { do: 'rename' }
  /** The group of the check is switched off, or on again. */
  | { do: 'toggle' }
  | { do: 'edit'; what: Edit }
  /** An edit and then `kill -9`, maybe before anything else of it comes to the disk. */
  | { do: 'editAndCrash'; what: Edit; isLost: boolean; downMs: number }
  | { do: 'store'; fails: boolean };

export const advance = fc.record({
  do: fc.constant('advance' as const),
  ms: fc.integer({ min: 1, max: 5 * MINUTE }),
});
export const outcomes = fc.record({
  do: fc.constant('outcomes' as const),
  failing: fc.array(fc.boolean(), { maxLength: 6 }),
  durationMs: fc.constantFrom(0, 1, 2_000, 29_000),
});
export const restart = fc.record({
  do: fc.constant('restart' as const),
  killed: fc.boolean(),
  downMs: fc.integer({ min: 0, max: 10 * MINUTE }),
});
export const jump = fc.record({
  do: fc.constant('jump' as const),
  ms: fc.constantFrom(-3_600_000, -90_000, -500, 500, 45_000, 7_200_000),
});
export const simple = fc.constantFrom<Step>({ do: 'order' }, { do: 'cancel' }, { do: 'rename' });
export const toggle = fc.constant<Step>({ do: 'toggle' });
const what = fc.constantFrom<Edit>('name', 'schedule', 'activated', 'group');
export const edit = fc.record({ do: fc.constant('edit' as const), what });
export const editAndCrash = fc.record({
  do: fc.constant('editAndCrash' as const),
  what,
  isLost: fc.boolean(),
  downMs: fc.integer({ min: 0, max: 10 * MINUTE }),
});
export const store = fc.record({ do: fc.constant('store' as const), fails: fc.boolean() });

async function copyOf({ checks, groups }: MemoryConfiguration): Promise<MemoryConfiguration> {
  const copy = new MemoryConfiguration();
  for (const group of groups.all()) await copy.groups.put(group);
  for (const check of checks.all()) await copy.checks.put(check);
  return copy;
}

/** How often the check is due, in turns. */
const SCHEDULES = [
  { frequency: 1, frequencyOffset: 5 },
  { frequency: 2, frequencyOffset: 12 },
  { frequency: 0, frequencyOffset: 20 },
];

/**
 * A check that lives through several lives of the appliance. Each has a clock and a configuration of
 * its own, so that what was killed never acts again.
 */
export async function checkOf(members: Parameters<typeof makeCheck<'URL'>>[1] = {}) {
  const check = makeCheck('URL', {
    frequency: 1,
    frequencyOffset: 5,
    retryStrategy: retryStrategy as never,
    groupId: 1,
    ...members,
  });
  const history = new FailingHistory();
  let configuration = new MemoryConfiguration();
  const group = makeGroup('v2', { retryStrategy: 'FALLBACK' });
  await configuration.groups.put(group);
  const isOn = () => configuration.groups.get(group.id)?.activated ?? false;
  const bornAt = Date.parse(check.created_at);
  const due: Due[] = [{ from: bornAt, schedule: scheduleOf(check) }];
  let orders = 0;
  let schedules = 0;
  let life = await simulatedMonitor([check], { history, configuration });
  const followers: RecordingFollower[] = [];
  const change = async (members: Partial<typeof check>) => {
    const known = configuration.checks.get(check.id) as typeof check;
    const updated_at = new Date(life.clock.now()).toISOString();
    await configuration.checks.put({ ...known, ...members, updated_at });
  };
  const edits: { [K in Edit]: () => Promise<void> } = {
    name: () => change({ name: `renamed at ${life.clock.now()}` }),
    schedule: () => change(SCHEDULES[++schedules % SCHEDULES.length] ?? {}),
    activated: () => change({ activated: !configuration.checks.get(check.id)?.activated }),
    group: () =>
      configuration.groups.put({
        ...group,
        activated: !isOn(),
        updated_at: new Date(life.clock.now()).toISOString(),
      }),
  };
  const noteDue = () => due.push({ from: life.clock.now(), schedule: dueNow(configuration) });
  const steps: { [K in Step['do']]: (step: Extract<Step, { do: K }>) => Promise<void> } = {
    advance: ({ ms }) => life.clock.advance(ms),
    outcomes: async ({ failing, durationMs }) => {
      life.runner.outcomes.push(...failing.map((fails) => (fails ? FAILING : {})));
      life.runner.durationMs = durationMs;
    },
    restart: async ({ killed, downMs }) => {
      const { clock, runner } = life;
      if (!killed) {
        const stopping = life.root.stop();
        await clock.advance(MINUTE);
        await stopping;
      }
      configuration = await copyOf(configuration);
      life = await simulatedMonitor([], {
        history,
        configuration,
        clock: new SimulatedClock(clock.now() + downMs),
      });
      life.runner.outcomes.push(...runner.outcomes);
    },
    jump: async ({ ms }) => life.clock.jump(ms),
    order: async () => {
      const follower = new RecordingFollower();
      if (life.root.order(check.id, order(`order ${orders++}`), follower)) followers.push(follower);
    },
    cancel: async () => life.root.cancel(check.id, `order ${orders - 1}`),
    rename: () => edits.name(),
    toggle: () => edits.group(),
    edit: async ({ what }) => {
      await edits[what]();
      noteDue();
    },
    editAndCrash: async ({ what, isLost, downMs }) => {
      history.isTooLate = isLost;
      await steps.edit({ do: 'edit', what });
      history.isTooLate = false;
      await steps.restart({ do: 'restart', killed: true, downMs });
    },
    store: async ({ fails }) => {
      history.isFailing = fails;
    },
  };
  return {
    check,
    history,
    followers,
    bornAt,
    isOn,
    now: () => life.clock.now(),
    /** The slots that were due by now, by what the check said at the time. */
    slotsDue: () => slotsIn(due, life.clock.now()),
    mostAtOnce: () => life.runner.mostAtOnce,
    play: (step: Step) => (steps[step.do] as (step: Step) => Promise<void>)(step),
  };
}

/** What slots were due by since a time; null: none was. */
interface Due {
  from: number;
  schedule: Schedule | null;
}

function dueNow({ checks, groups }: MemoryConfiguration): Schedule | null {
  const [check] = checks.all();
  if (check === undefined) return null;
  const merged = withGroup(check, groupOf(check, groups));
  return merged.activated ? scheduleOf(merged) : null;
}

function slotsIn(due: readonly Due[], now: number): number[] {
  return due.flatMap(({ from, schedule }, n) => {
    const to = due[n + 1]?.from ?? now;
    if (schedule === null) return [];
    const count = slotsBetween(schedule, from, to + 1);
    const first = nextSlot(schedule, from);
    return Array.from({ length: count }, (_, k) => first + k * schedule.periodMs);
  });
}
