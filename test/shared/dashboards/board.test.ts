import { expect, test } from 'vitest';
import {
  boardIncidents,
  boardPage,
  boardSentence,
  countStandings,
  inBoardOrder,
  isShown,
  nameKey,
} from '#shared/dashboards/board.ts';
import type { DashboardIncident } from '#shared/dashboards/dashboard-incident.ts';
import type { Standing } from '#shared/results/standing.ts';

test.each([
  [[], false, ['a'], true],
  [[], true, [], true],
  [['a', 'b'], false, ['b'], true],
  [['a', 'b'], true, ['b'], false],
  [['a', 'b'], true, ['b', 'c', 'a'], true],
  [['a'], null, ['A'], false],
])('with the tags %j, all of them %s, a check with %j is shown: %s', (tags, all, own, shown) => {
  const dashboard = { tags, useTagsAndOperator: all };
  expect(isShown(dashboard, own)).toBe(shown);
  expect(isShown(dashboard, own.slice(1), own.slice(0, 1))).toBe(shown);
});

test('checks are in the order of their names, or with the worst first', () => {
  const checks = (
    [
      ['b 10', 'passing'],
      ['b 9', 'paused'],
      ['Á', 'unknown'],
      ['c', 'failing'],
      ['d', 'degraded'],
    ] satisfies [string, Standing][]
  ).map(([name, standing]) => ({ name, key: nameKey(name), standing }));
  const names = (sortByStatus: boolean) =>
    inBoardOrder(checks, { sortByStatus }).map(({ name }) => name);
  expect(names(false)).toEqual(['Á', 'b 9', 'b 10', 'c', 'd']);
  expect(names(true)).toEqual(['c', 'd', 'Á', 'b 10', 'b 9']);
});

test.each([
  [true, 2, 2, { shown: [3, 4], page: 2, pages: 3 }],
  [true, 2, 9, { shown: [5], page: 3, pages: 3 }],
  [true, 2, 0, { shown: [1, 2], page: 1, pages: 3 }],
  [true, null, 1, { shown: [1, 2, 3, 4, 5], page: 1, pages: 1 }],
  [false, 2, 1, { shown: [1, 2, 3, 4, 5], page: 1, pages: 1 }],
])('in pages: %s, of %s, page %s', (paginate, checksPerPage, wanted, expected) => {
  expect(boardPage([1, 2, 3, 4, 5], { paginate, checksPerPage }, wanted)).toEqual(expected);
});

test('a page that is not cut into others has a bound all the same, and one of nothing is there', () => {
  const options = { paginate: false, checksPerPage: null };
  const many = Array.from({ length: 450 }, (_, index) => index);
  expect(boardPage(many, options, 3)).toMatchObject({ page: 3, pages: 3 });
  expect(boardPage(many, options, 3).shown).toHaveLength(50);
  expect(boardPage([], options, 1)).toEqual({ shown: [], page: 1, pages: 1 });
});

test.each<[Standing[], string]>([
  [[], 'No checks are shown here'],
  [['paused', 'paused'], 'All checks are paused'],
  [['unknown'], 'Nothing is known yet'],
  [['passing'], 'The check passes'],
  [['passing', 'passing', 'paused'], 'All 2 checks pass'],
  [['passing', 'unknown'], '1 of 2 checks passes'],
  [['passing', 'degraded', 'unknown'], '1 of 3 checks is degraded'],
  [['failing', 'failing', 'degraded'], '2 of 3 checks fail'],
  [['failing'], 'The check fails'],
])('%j: %s', (standings, sentence) => {
  const checks = standings.map((standing) => ({ standing }));
  expect(boardSentence(countStandings(checks))).toBe(sentence);
});

const NOW = Date.parse('2026-01-15T12:00:00.000Z');
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

function incident(
  name: string,
  days: number,
  ...statuses: ('RESOLVED' | 'IDENTIFIED')[]
): DashboardIncident {
  const incidentUpdates = statuses.map((status, index) => ({
    id: `${name} ${index}`,
    status,
    description: `${name} ${index}`,
    created_at: daysAgo(days),
    updated_at: null,
  }));
  const at = { startedAt: null, stoppedAt: null, created_at: daysAgo(days), updated_at: null };
  const impact = 'MINOR' as const;
  return { id: name, name, impact, dashboardId: 1, incidentUpdates, ...at };
}

test('open incidents come first, and those that were over a week ago are left out', () => {
  const shown = boardIncidents(
    [
      incident('old and open', 30, 'IDENTIFIED'),
      incident('old and over', 8, 'IDENTIFIED', 'RESOLVED'),
      incident('over', 1, 'IDENTIFIED', 'RESOLVED'),
      incident('open', 2, 'IDENTIFIED', 'IDENTIFIED'),
    ],
    NOW,
  );
  expect(shown.map(({ name }) => name)).toEqual(['open', 'old and open', 'over']);
  expect(shown[0]?.updates.map(({ description }) => description)).toEqual(['open 1', 'open 0']);
});

test('a board has ten incidents with ten updates at most', () => {
  const many = Array.from({ length: 12 }, (_, index) =>
    incident(`${index}`, 1, ...Array.from({ length: 12 }, () => 'IDENTIFIED' as const)),
  );
  const shown = boardIncidents(many, NOW);
  expect([shown.length, shown[0]?.updates.length]).toEqual([10, 10]);
});
