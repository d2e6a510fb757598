/** What is another in a body: by its path in JSON, else as a whole. */
export interface BodyChange {
  /** A JSONPath; empty for a body that is no JSON. */
  name: string;
  before: string | null;
  after: string | null;
}

/** Longer bodies are compared as texts. */
const MAX_PARSED_CHARS = 300_000;
const MAX_CHANGES = 12;
const MAX_DEPTH = 30;
/** Values that are looked at. */
const MAX_VALUES = 20_000;
const MAX_CHARS = 200;

/**
 * How a body differs from another one: two JSON documents member by member, members that came, went or are of
 * another kind first; other texts by how they begin.
 */
export function bodyChanges(before: string, after: string): BodyChange[] {
  if (before === after || before === '' || after === '') return [];
  const [one, other] = [parsed(before), parsed(after)];
  if (one === undefined || other === undefined) {
    return [{ name: '', before: before.slice(0, MAX_CHARS), after: after.slice(0, MAX_CHARS) }];
  }
  const found: Difference[] = [];
  compare(one.value, other.value, { path: '$', depth: 0, found, budget: { left: MAX_VALUES } });
  return found
    .toSorted((a, b) => Number(b.isOfKind) - Number(a.isOfKind))
    .slice(0, MAX_CHANGES)
    .map(({ name, before, after }) => ({ name, before, after }));
}

interface Difference extends BodyChange {
  /** Whether more than a value changed. */
  isOfKind: boolean;
}

interface Walk {
  path: string;
  depth: number;
  found: Difference[];
  budget: { left: number };
}

/** An object around it, as the document may be `null`. */
function parsed(text: string): { value: unknown } | undefined {
  if (text.length > MAX_PARSED_CHARS || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function compare(one: unknown, other: unknown, walk: Walk): void {
  walk.budget.left -= 1;
  if (walk.budget.left < 0 || walk.depth > MAX_DEPTH) return;
  if (kindOf(one) !== kindOf(other)) note(one, other, true, walk);
  else if (Array.isArray(one) && Array.isArray(other)) compareLists(one, other, walk);
  else if (isObject(one) && isObject(other)) compareObjects(one, other, walk);
  else if (one !== other) note(one, other, false, walk);
}

function compareLists(one: unknown[], other: unknown[], walk: Walk): void {
  if (one.length !== other.length) {
    note(one, other, false, walk);
    return;
  }
  for (const [index, value] of one.entries()) {
    const path = `${walk.path}[${index}]`;
    compare(value, other[index], { ...walk, path, depth: walk.depth + 1 });
  }
}

function compareObjects(
  one: Record<string, unknown>,
  other: Record<string, unknown>,
  walk: Walk,
): void {
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const path = walk.path + step(name);
    const within = { ...walk, path, depth: walk.depth + 1 };
    const [isOld, isNew] = [Object.hasOwn(one, name), Object.hasOwn(other, name)];
    if (isOld && isNew) compare(one[name], other[name], within);
    else note(isOld ? one[name] : ABSENT, isNew ? other[name] : ABSENT, true, within);
  }
}

const ABSENT = Symbol('absent');

function note(one: unknown, other: unknown, isOfKind: boolean, { path, found }: Walk): void {
  found.push({ name: path, before: shown(one), after: shown(other), isOfKind });
}

function shown(value: unknown): string | null {
  if (value === ABSENT) return null;
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : `${value.length} items`;
  const text = isObject(value) ? '{…}' : JSON.stringify(value);
  return text.slice(0, MAX_CHARS);
}

function step(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return kindOf(value) === 'object';
}
