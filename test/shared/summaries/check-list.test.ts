import { describe, expect, test } from 'vitest';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import {
  arrangeChecks,
  type CheckFilter,
  countStates,
  countTags,
  filterChecks,
  sortByName,
} from '#shared/summaries/check-list.ts';
import { CHECK_STATES } from '#shared/summaries/check-state.ts';
import type { CheckSummary, GroupSummary } from '#shared/summaries/check-summary.ts';
import { cpuMsOf } from '../../fixtures/cpu-time.ts';

let made = 0;
function makeSummary(part: Partial<CheckSummary> = {}): CheckSummary {
  made += 1;
  return {
    id: `id-${String(made).padStart(6, '0')}`,
    name: `check ${made}`,
    type: 'API',
    state: 'passing',
    muted: false,
    groupId: null,
    tags: [],
    target: null,
    since: null,
    cause: null,
    lastRunAt: null,
    runs: '',
    availability: null,
    p95: null,
    ...part,
  };
}

const group = (id: number, name: string): GroupSummary => ({
  id,
  name,
  activated: true,
  muted: false,
});
const GROUPS = new Map([group(1, 'Shop'), group(2, 'platform')].map((one) => [one.id, one]));

const CHECKS = [
  makeSummary({
    name: 'Cart',
    groupId: 1,
    tags: ['production'],
    target: 'https://shop.example/cart',
  }),
  makeSummary({
    name: 'Checkout',
    groupId: 1,
    tags: ['production', 'eu'],
    state: 'failing',
    since: 5,
  }),
  makeSummary({ name: 'Login', state: 'failing', since: 9, type: 'BROWSER' }),
  makeSummary({ name: 'Search', groupId: 1, state: 'degraded', since: 99 }),
  makeSummary({ name: 'db-10', groupId: 2, type: 'TCP' }),
  makeSummary({ name: 'db-9', groupId: 2, type: 'TCP', state: 'paused' }),
  makeSummary({ name: 'Backup', type: 'HEARTBEAT', groupId: 77 }),
];

const names = (found: readonly CheckSummary[]) => found.map(({ name }) => name);

describe('the filter', () => {
  test.each<[string, CheckFilter, string[]]>([
    ['of nothing lets every check through', {}, names(CHECKS)],
    ['finds a part of a name in any case', { text: 'CHECK' }, ['Checkout']],
    ['finds a tag', { text: 'produc' }, ['Cart', 'Checkout']],
    ['finds a group', { text: 'platf' }, ['db-10', 'db-9']],
    ['finds a target', { text: 'shop.example/cart' }, ['Cart']],
    ['wants every word', { text: 'shop eu' }, ['Checkout']],
    ['of states', { states: ['failing', 'paused'] }, ['Checkout', 'Login', 'db-9']],
    ['of types', { types: ['TCP'] }, ['db-10', 'db-9']],
    ['wants every tag', { tags: ['production', 'eu'] }, ['Checkout']],
    ['of a group', { groupId: 2 }, ['db-10', 'db-9']],
    ['of all together', { text: 'db', states: ['paused'], types: ['TCP'] }, ['db-9']],
    ['finds nothing of a text that is nowhere', { text: 'nowhere' }, []],
  ])('%s', (_name, filter, expected) => {
    expect(names(filterChecks(CHECKS, filter, GROUPS))).toEqual(expected);
  });
});

/** Headings in brackets, with how many follow. */
function shown(grouping: Parameters<typeof arrangeChecks>[2], checks = CHECKS): string[] {
  const byId = new Map(checks.map((check) => [check.id, check.name]));
  return arrangeChecks(sortByName(checks), GROUPS, grouping).map((row) =>
    row.kind === 'check'
      ? `${byId.get(row.id)}${row.isBad ? '!' : ''}`
      : `[${row.section.group?.name ?? row.section.type ?? ''} ${row.section.count}]`,
  );
}

describe('the order', () => {
  const bad = ['Login!', 'Checkout!', 'Search!'];

  test('has what fails first, the news on top, then the groups by name and the others', () => {
    expect(shown('group')).toEqual([
      ...bad,
      '[platform 2]',
      'db-9',
      'db-10',
      '[Shop 3]',
      'Cart',
      '[ 2]',
      'Backup',
    ]);
  });

  test('has headings by type', () => {
    expect(shown('type')).toEqual([
      ...bad,
      '[API 3]',
      'Cart',
      '[HEARTBEAT 1]',
      'Backup',
      '[TCP 2]',
      'db-9',
      'db-10',
    ]);
  });

  test('has no headings where none are wanted, or all would stand below one', () => {
    expect(shown('none')).toEqual([...bad, 'Backup', 'Cart', 'db-9', 'db-10']);
    const alike = [makeSummary({ name: 'b' }), makeSummary({ name: 'a' })];
    expect(shown('group', alike)).toEqual(['a', 'b']);
  });

  test('tells under a heading how many stand how, those at the top too', () => {
    const rows = arrangeChecks(sortByName(CHECKS), GROUPS, 'group');
    const headings = rows.flatMap((row) => (row.kind === 'section' ? [row.section.states] : []));
    expect(headings).toMatchObject([
      { passing: 1, paused: 1 },
      { passing: 1, failing: 1, degraded: 1 },
      { passing: 1 },
    ]);
  });
});

test('states and tags are counted', () => {
  expect(countStates(CHECKS)).toMatchObject({ failing: 2, degraded: 1, passing: 3, paused: 1 });
  expect(countTags(CHECKS)).toEqual([
    ['production', 2],
    ['eu', 1],
  ]);
});

test('10,000 checks are filtered and put in order within a frame', () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    makeSummary({
      name: `Service ${index % 997} of team ${index % 31}`,
      state: CHECK_STATES[index % 50] ?? 'passing',
      type: CHECK_TYPES[index % CHECK_TYPES.length] ?? 'API',
      groupId: index % 3,
      target: `https://service-${index}.example.com/health`,
      tags: ['production', `team-${index % 31}`],
    }),
  );
  const sorted = sortByName(many);
  const arrange = () =>
    arrangeChecks(filterChecks(sorted, { text: 'team' }, GROUPS), GROUPS, 'group');
  const times = Array.from({ length: 9 }, () => cpuMsOf(arrange));
  // A frame is 16 ms; machines are of several speeds.
  expect(Math.min(...times)).toBeLessThan(48);
});
