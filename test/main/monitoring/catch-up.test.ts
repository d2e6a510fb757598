import { describe, expect, test } from 'vitest';
import { resume } from '#main/monitoring/catch-up.ts';
import { type CheckState, persistedCheckState } from '#main/monitoring/persisted-state.ts';
import { scheduleOf } from '#shared/checks/schedule.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeGroup } from '../../fixtures/groups.ts';

const MINUTE = 60_000;
const CHECK = makeCheck('URL', {
  id: '2f6f9c1e-58a1-4f3e-9f0e-0f6a1f6a2b11',
  frequency: 1,
  frequencyOffset: 5,
  createdAt: 0,
});
const EACH_MINUTE = scheduleOf(CHECK);
const HALF_HOURLY = { ...EACH_MINUTE, periodMs: 30 * MINUTE };
const slot = (n: number) => EACH_MINUTE.phaseMs + n * MINUTE;
const at = (ms: number) => new Date(ms).toISOString();

interface Case {
  name: string;
  memory: Partial<CheckState>;
  /** When the check, and its group, were edited last; none: never. */
  editedAt?: number;
  groupEditedAt?: number;
  activated?: boolean;
  /** The gaps that are counted: first and last slot, by number. */
  counted: [number, number][];
}

/** All start at slot 10; the last slot that was settled before is slot 4, where nothing else is said. */
const CASES: Case[] = [
  { name: 'the slots while it was down', memory: {}, counted: [[5, 10]] },
  {
    name: 'the same after an edit that left the slots as they are, also the one that was under way then',
    memory: {},
    editedAt: slot(5) + 1,
    counted: [[5, 10]],
  },
  {
    name: 'the one that was under way apart, where something else was kept since',
    memory: { begunSlot: slot(4), lastSlot: slot(6) },
    counted: [
      [4, 4],
      [7, 10],
    ],
  },
  {
    name: 'the one that was under way, also of a check that was deactivated then',
    memory: { begunSlot: slot(4), schedule: null },
    activated: false,
    editedAt: slot(4) + 1,
    counted: [[4, 4]],
  },
  {
    name: 'slots of before an edit that a crash followed at once by what they were due by',
    memory: { schedule: EACH_MINUTE },
    activated: false,
    editedAt: slot(6) + 1,
    counted: [[5, 6]],
  },
  {
    name: 'slots of before and after such an edit, each by its own',
    memory: { schedule: HALF_HOURLY, lastSlot: slot(-1) },
    editedAt: slot(3) + 1,
    counted: [
      [0, 0],
      [4, 10],
    ],
  },
  {
    name: 'no slot of a time when it was deactivated, also by its group',
    memory: { schedule: null, lastSlot: slot(2) },
    groupEditedAt: slot(8) + 1,
    counted: [[9, 10]],
  },
  {
    name: 'by its settings since their last edit, where an earlier version kept no schedule',
    memory: { schedule: undefined },
    editedAt: slot(7) + 1,
    counted: [[8, 10]],
  },
  {
    name: 'none where the clock was set back meanwhile',
    memory: { lastSlot: slot(20) },
    counted: [],
  },
  {
    name: 'none after an edit that the clock, set back since, has yet to come to',
    memory: { schedule: HALF_HOURLY, lastSlot: slot(1) },
    editedAt: slot(60),
    counted: [],
  },
];

describe('at the start of a check are counted', () => {
  test.each(CASES)('$name', ({ memory, editedAt, groupEditedAt, activated = true, counted }) => {
    const check = { ...CHECK, activated, updated_at: editedAt ? at(editedAt) : null };
    const group = groupEditedAt
      ? { ...makeGroup('v2', {}), created_at: at(0), updated_at: at(groupEditedAt) }
      : undefined;
    const before = { ...persistedCheckState({ actor: {}, status: null }), ...known(memory) };
    const resumed = resume(check, group, before, slot(10));
    expect(resumed.skips).toEqual(
      counted.map(([from, to]) => ({
        checkId: CHECK.id,
        fromSlot: slot(from),
        toSlot: slot(to),
        count: to - from + 1,
        reason: 'down',
      })),
    );
    const schedule = activated ? EACH_MINUTE : null;
    expect(resumed.memory).toMatchObject({ lastSlot: slot(10), schedule, begunSlot: null });
  });
});

function known(memory: Partial<CheckState>): Partial<CheckState> {
  return { lastSlot: slot(4), schedule: EACH_MINUTE, ...memory };
}
