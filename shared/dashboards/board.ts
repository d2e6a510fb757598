import type { Standing } from '#shared/results/standing.ts';
import type { Dashboard } from './dashboard.ts';
import { type DashboardIncident, isOver } from './dashboard-incident.ts';
import type { RunSummary } from './run-summary.ts';

/** What the public page of a dashboard shows of a check: nothing of what it requests, and no error. */
export interface BoardRow {
  name: string;
  /** The name of its group; null without one. */
  group: string | null;
  /** Its own, then those of its group. */
  tags: string[];
  standing: Standing;
  /** Null for a check without results, such as a heartbeat. */
  summary: RunSummary | null;
}

export interface BoardIncident {
  id: string;
  name: string;
  impact: DashboardIncident['impact'];
  /** Epoch ms. */
  startedAt: number;
  isOver: boolean;
  /** Newest first. */
  updates: { status: string; description: string; at: number }[];
}

/** The public page of a dashboard. */
export interface Board {
  dashboard: Dashboard;
  rows: BoardRow[];
  /** Of all of its checks, whichever page they are on. */
  counts: StandingCounts;
  /** From 1. */
  page: number;
  pages: number;
  incidents: BoardIncident[];
  /** When it was made, epoch ms. */
  at: number;
}

export type StandingCounts = Readonly<Record<Standing, number>>;

/** Whether a dashboard shows a check with these tags, its own and those of its group. */
export function isShown(
  { tags, useTagsAndOperator }: Pick<Dashboard, 'tags' | 'useTagsAndOperator'>,
  ownTags: readonly string[],
  groupTags: readonly string[] = [],
): boolean {
  if (tags.length === 0) return true;
  const isOfCheck = (tag: string) => ownTags.includes(tag) || groupTags.includes(tag);
  return useTagsAndOperator ? tags.every(isOfCheck) : tags.some(isOfCheck);
}

/** The worst first. */
const RANKS = { failing: 0, degraded: 1, unknown: 2, passing: 3, paused: 4 } as const satisfies {
  [S in Standing]: number;
};

/**
 * A name as it is compared: without case, and with numbers by their value. Ten thousand of these are sorted
 * in a tenth of the time that `Intl.Collator` takes for the names.
 */
export function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\d+/g, (digits) => digits.padStart(12, '0'));
}

/** By the keys of their names, or by their standing first. */
export function inBoardOrder<T extends { key: string; standing: Standing }>(
  checks: readonly T[],
  { sortByStatus }: Pick<Dashboard, 'sortByStatus'>,
): T[] {
  const rank = ({ standing }: T) => (sortByStatus ? RANKS[standing] : 0);
  return checks.toSorted(
    (a, b) => rank(a) - rank(b) || (a.key < b.key ? -1 : Number(a.key > b.key)),
  );
}

/** Most checks of a page: of one that is not to be cut into pages as well. */
export const MAX_ROWS = 200;
const DEFAULT_ROWS = 15;

/** The checks of a page; a page that is not there is the nearest one. */
export function boardPage<T>(
  checks: readonly T[],
  { paginate, checksPerPage }: Pick<Dashboard, 'paginate' | 'checksPerPage'>,
  wanted: number,
): { shown: T[]; page: number; pages: number } {
  const size = paginate ? (checksPerPage ?? DEFAULT_ROWS) : MAX_ROWS;
  const pages = Math.max(1, Math.ceil(checks.length / size));
  const page = Math.min(Math.max(1, wanted), pages);
  return { shown: checks.slice((page - 1) * size, page * size), page, pages };
}

export function countStandings(checks: readonly Pick<BoardRow, 'standing'>[]): StandingCounts {
  const counts = { failing: 0, degraded: 0, passing: 0, unknown: 0, paused: 0 };
  for (const { standing } of checks) counts[standing] += 1;
  return counts;
}

/** Where all of them stand in one sentence; those that are paused count for nothing. */
export function boardSentence({ failing, degraded, passing, unknown, paused }: StandingCounts) {
  const all = failing + degraded + passing + unknown;
  if (all === 0) return paused > 0 ? 'All checks are paused' : 'No checks are shown here';
  if (failing > 0) return `${ofAll(failing, all)} ${failing === 1 ? 'fails' : 'fail'}`;
  if (degraded > 0) return `${ofAll(degraded, all)} ${degraded === 1 ? 'is' : 'are'} degraded`;
  if (unknown === all) return 'Nothing is known yet';
  if (passing === all) return all === 1 ? 'The check passes' : `All ${all} checks pass`;
  return `${ofAll(passing, all)} ${passing === 1 ? 'passes' : 'pass'}`;
}

const ofAll = (count: number, all: number) =>
  all === 1 ? 'The check' : `${count} of ${all} checks`;

const MAX_INCIDENTS = 10;
const MAX_UPDATES = 10;
/** How long an incident that is over still shows. */
const PAST_MS = 7 * 86_400_000;

/** The incidents of a board, newest first: those that are open, then those that were over within a week. */
export function boardIncidents(
  incidents: readonly DashboardIncident[],
  now: number,
): BoardIncident[] {
  const views = incidents.map((incident) => viewIncident(incident, now));
  const recent = views.filter((view) => !view.isOver || (view.updates[0]?.at ?? 0) > now - PAST_MS);
  return recent
    .toSorted((a, b) => Number(a.isOver) - Number(b.isOver) || b.startedAt - a.startedAt)
    .slice(0, MAX_INCIDENTS);
}

function viewIncident(incident: DashboardIncident, now: number): BoardIncident {
  const { id, name, impact, startedAt, created_at, incidentUpdates } = incident;
  const updates = incidentUpdates.slice(-MAX_UPDATES).reverse();
  return {
    id,
    name,
    impact,
    startedAt: Date.parse(startedAt ?? created_at),
    isOver: isOver(incident, now),
    updates: updates.map(({ status, description, created_at: at }) => ({
      status,
      description,
      at: Date.parse(at),
    })),
  };
}
