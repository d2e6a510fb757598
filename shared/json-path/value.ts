import type { JsonBudget } from './budget.ts';

/** Values of a parsed JSON document. */

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The elements of an array, the member values of an object, nothing of anything else. */
export function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

/** Equality of RFC 9535, 2.3.5.2.2: deep, whatever the order of an object's members. */
export function jsonEqual(one: unknown, other: unknown, budget: JsonBudget, depth = 0): boolean {
  budget.enter(depth);
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return (
      one.length === other.length &&
      one.every((element, index) => jsonEqual(element, other[index], budget, depth + 1))
    );
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && jsonEqual(one[name], other[name], budget, depth + 1),
    )
  );
}

/** The length of a string in Unicode characters (RFC 9535, 2.4.4). */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
