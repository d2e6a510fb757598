import { type JSONPathQuery, jsonpath, TokenKind } from 'json-p3';
import type { JsonBudget } from './budget.ts';
import { holdsFor } from './filter.ts';
import type { Scope } from './scope.ts';
import { childrenOf, isObject } from './value.ts';

type Segment = JSONPathQuery['segments'][number];
type Selector = Segment['selectors'][number];
type Slice = InstanceType<typeof SliceSelector>;

const { FilterSelector, IndexSelector, NameSelector, SliceSelector, WildcardSelector } =
  jsonpath.selectors;

/** The values that a parsed query selects (RFC 9535, 2.3 and 2.5), in document order. */
export function select(query: JSONPathQuery, from: unknown, scope: Scope): unknown[] {
  return query.segments.reduce((values, segment) => applySegment(segment, values, scope), [from]);
}

function applySegment(segment: Segment, values: unknown[], scope: Scope): unknown[] {
  const isDescendant = segment.token.kind === TokenKind.DDOT;
  const found: unknown[] = [];
  for (const value of values) {
    for (const visited of isDescendant ? descend(value, scope.budget) : [value]) {
      for (const selector of segment.selectors) {
        for (const selected of applySelector(selector, visited, scope)) found.push(selected);
      }
    }
  }
  return found;
}

/** A value and all that is inside it, each before its children. */
function descend(value: unknown, budget: JsonBudget, depth = 0, into: unknown[] = []): unknown[] {
  budget.enter(depth);
  into.push(value);
  for (const child of childrenOf(value)) descend(child, budget, depth + 1, into);
  return into;
}

function applySelector(selector: Selector, value: unknown, scope: Scope): readonly unknown[] {
  scope.budget.spend(1);
  if (selector instanceof NameSelector) {
    return isObject(value) && Object.hasOwn(value, selector.name) ? [value[selector.name]] : [];
  }
  if (selector instanceof IndexSelector) return elementAt(value, selector.index);
  const children = childrenOf(value);
  scope.budget.spend(children.length);
  if (selector instanceof WildcardSelector) return children;
  if (selector instanceof SliceSelector) return Array.isArray(value) ? slice(value, selector) : [];
  if (selector instanceof FilterSelector) {
    return children.filter((child) => holdsFor(selector.expression, child, scope));
  }
  throw new Error(`A JSONPath selector that is not of RFC 9535: ${selector.constructor.name}`);
}

function elementAt(value: unknown, index: number): unknown[] {
  if (!Array.isArray(value)) return [];
  const position = index < 0 ? value.length + index : index;
  return position >= 0 && position < value.length ? [value[position]] : [];
}

/** RFC 9535, 2.3.4.2.2. */
function slice(array: readonly unknown[], { start, stop, step = 1 }: Slice): unknown[] {
  const { length } = array;
  const selected: unknown[] = [];
  if (step > 0) {
    const end = clamp(fromEnd(stop ?? length, length), 0, length);
    for (let at = clamp(fromEnd(start ?? 0, length), 0, length); at < end; at += step) {
      selected.push(array[at]);
    }
  } else if (step < 0) {
    const end = stop === undefined ? -1 : clamp(fromEnd(stop, length), -1, length - 1);
    const first = clamp(fromEnd(start ?? length - 1, length), -1, length - 1);
    for (let at = first; at > end; at += step) selected.push(array[at]);
  }
  return selected;
}

const fromEnd = (index: number, length: number) => (index < 0 ? length + index : index);
const clamp = (index: number, min: number, max: number) => Math.min(Math.max(index, min), max);
