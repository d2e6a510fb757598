import type { CheckType } from '#shared/checks/enums.ts';
import { CHECK_STATES, type CheckState } from './check-state.ts';
import type { CheckSummary, GroupSummary } from './check-summary.ts';

/** Which checks are shown; a part that is left out lets every check through. */
export interface CheckFilter {
  /** In the name, a tag, the group or the target, in any case; every word must be there. */
  text?: string | undefined;
  states?: readonly CheckState[] | undefined;
  types?: readonly CheckType[] | undefined;
  /** All of them. */
  tags?: readonly string[] | undefined;
  groupId?: number | undefined;
}

export const GROUPINGS = ['group', 'type', 'none'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** A row of the list. */
export type ListRow =
  | { kind: 'section'; key: string; section: Section }
  /** `isBad`: among those at the top, with a second line that says why. */
  | { kind: 'check'; key: string; id: string; isBad: boolean };

/** Checks under one heading; those at the top are counted too. */
export interface Section {
  /** Of a group or a type; undefined: of those that are in no group. */
  group?: GroupSummary;
  type?: CheckType;
  count: number;
  /** By their states. */
  states: Partial<Record<CheckState, number>>;
}

type Groups = ReadonlyMap<number, GroupSummary>;

export function filterChecks(
  checks: Iterable<CheckSummary>,
  { text, states, types, tags, groupId }: CheckFilter,
  groups: Groups,
): CheckSummary[] {
  const words = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found: CheckSummary[] = [];
  for (const check of checks) {
    if (states && !states.includes(check.state)) continue;
    if (types && !types.includes(check.type)) continue;
    if (groupId !== undefined && check.groupId !== groupId) continue;
    if (tags && !tags.every((tag) => check.tags.includes(tag))) continue;
    if (words.length > 0 && !hasWords(check, words, groups)) continue;
    found.push(check);
  }
  return found;
}

function hasWords(check: CheckSummary, words: readonly string[], groups: Groups): boolean {
  const group = check.groupId === null ? undefined : groups.get(check.groupId);
  const own = textOf(check);
  return words.every(
    (word) => own.includes(word) || group?.name.toLowerCase().includes(word) === true,
  );
}

/** What is searched of a check: made once, as every letter that is typed searches all of them. */
const texts = new WeakMap<CheckSummary, string>();

function textOf(check: CheckSummary): string {
  const known = texts.get(check);
  if (known !== undefined) return known;
  const text = [check.name, check.target ?? '', ...check.tags].join('\n').toLowerCase();
  texts.set(check, text);
  return text;
}

const RANKS = Object.fromEntries(CHECK_STATES.map((state, rank) => [state, rank])) as Record<
  CheckState,
  number
>;

/**
 * What is wrong first, then the others under their headings, in the order in which they come; headings only where
 * there are several.
 *
 * @param checks as {@link sortByName} has them: to sort 10,000 names takes longer than a frame
 */
export function arrangeChecks(
  checks: readonly CheckSummary[],
  groups: Groups,
  grouping: Grouping,
): ListRow[] {
  const bad = checks.filter(isBad).toSorted(worstFirst);
  const good = checks.filter((check) => !isBad(check));
  const rows = bad.map((check) => row(check, true));
  if (grouping === 'none') return [...rows, ...good.map((check) => row(check, false))];
  const sections = sectionsOf(good, groups, grouping);
  countAll(sections, checks, groups, grouping);
  for (const { key, section, members } of sections) {
    if (sections.length > 1 || rows.length > 0 || section.group) {
      rows.push({ kind: 'section', key, section });
    }
    for (const check of members) rows.push(row(check, false));
  }
  return rows;
}

function isBad({ state }: CheckSummary): boolean {
  return state === 'failing' || state === 'degraded';
}

function row(check: CheckSummary, isBad: boolean): ListRow {
  return { kind: 'check', key: check.id, id: check.id, isBad };
}

/** Failing before degraded, what began last first: it is the news. */
function worstFirst(one: CheckSummary, other: CheckSummary): number {
  return RANKS[one.state] - RANKS[other.state] || (other.since ?? 0) - (one.since ?? 0);
}

let collator: Intl.Collator | undefined;

/** Made when it is needed first, which takes a phone some milliseconds. */
function compare(one: string, other: string): number {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return collator.compare(one, other);
}

/** As people order names: `db-9` before `db-10`. */
export function sortByName(checks: Iterable<CheckSummary>): CheckSummary[] {
  return [...checks].sort(
    (one, other) => compare(one.name, other.name) || (one.id < other.id ? -1 : 1),
  );
}

interface Gathered {
  key: string;
  section: Section;
  members: CheckSummary[];
}

function sectionsOf(
  checks: readonly CheckSummary[],
  groups: Groups,
  grouping: 'group' | 'type',
): Gathered[] {
  const found = new Map<string, Gathered>();
  for (const check of checks) {
    const head = headOf(check, groups, grouping);
    const key = keyOf(head);
    const gathered = found.get(key) ?? {
      key,
      section: { ...head, count: 0, states: {} },
      members: [],
    };
    found.set(key, gathered);
    gathered.members.push(check);
  }
  return [...found.values()].toSorted((one, other) =>
    compareNames(nameOf(one.section), nameOf(other.section)),
  );
}

function countAll(
  sections: readonly Gathered[],
  checks: readonly CheckSummary[],
  groups: Groups,
  grouping: 'group' | 'type',
): void {
  const byKey = new Map(sections.map(({ key, section }) => [key, section]));
  for (const check of checks) {
    const section = byKey.get(keyOf(headOf(check, groups, grouping)));
    if (section === undefined) continue;
    section.count += 1;
    section.states[check.state] = (section.states[check.state] ?? 0) + 1;
  }
}

type Head = Pick<Section, 'group' | 'type'>;

const keyOf = ({ group, type }: Head) => type ?? `group ${group?.id ?? ''}`;

function headOf(check: CheckSummary, groups: Groups, grouping: 'group' | 'type'): Head {
  if (grouping === 'type') return { type: check.type };
  const group = check.groupId === null ? undefined : groups.get(check.groupId);
  return group === undefined ? {} : { group };
}

function nameOf({ group, type }: Section): string | undefined {
  return group?.name ?? type;
}

/** Those of no group come last. */
function compareNames(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined);
  }
  return compare(one, other);
}

/** How many checks stand how; zero where none does. */
export function countStates(checks: Iterable<CheckSummary>): Record<CheckState, number> {
  const counts = Object.fromEntries(CHECK_STATES.map((state) => [state, 0])) as Record<
    CheckState,
    number
  >;
  for (const { state } of checks) counts[state] += 1;
  return counts;
}

/** Every tag, those of most checks first. */
export function countTags(checks: Iterable<CheckSummary>): [tag: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { tags } of checks) {
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].toSorted(
    ([one, ones], [other, others]) => others - ones || compare(one, other),
  );
}
