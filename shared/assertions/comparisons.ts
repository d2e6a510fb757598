import type { Comparison } from '#shared/checks/blocks.ts';
import { childrenOf, isObject } from '#shared/json-path/value.ts';
import { numberOf } from './decimal.ts';
import type { Target } from './target.ts';

/** One comparison of a value seen with the value wanted. */
export interface Comparer {
  /** What a sentence says between the subject and the target. */
  words: string;
  /** What the comparison takes: nothing, a text, or only a number. */
  wants: 'nothing' | 'text' | 'number';
  /** Whether it holds for a value; `undefined` is a value that was not found. */
  holds(value: unknown, target: Target): boolean;
}

/**
 * Every comparison. A NOT_ form holds exactly where its positive form does not, so of a value that
 * was not found only IS_EMPTY, IS_NULL and the NOT_ forms of other comparisons hold.
 * The ordering ones hold for numbers only.
 */
export const COMPARERS = {
  EQUALS: { words: 'to equal', wants: 'text', holds: equals },
  NOT_EQUALS: { words: 'not to equal', wants: 'text', holds: not(equals) },
  GREATER_THAN: { words: 'to be greater than', wants: 'number', holds: isGreater },
  LESS_THAN: { words: 'to be less than', wants: 'number', holds: isLess },
  CONTAINS: { words: 'to contain', wants: 'text', holds: contains },
  NOT_CONTAINS: { words: 'not to contain', wants: 'text', holds: not(contains) },
  IS_EMPTY: { words: 'to be empty', wants: 'nothing', holds: isEmpty },
  NOT_EMPTY: { words: 'not to be empty', wants: 'nothing', holds: not(isEmpty) },
  IS_NULL: { words: 'to be null', wants: 'nothing', holds: isNull },
  NOT_NULL: { words: 'not to be null', wants: 'nothing', holds: not(isNull) },
  HAS_KEY: { words: 'to have the key', wants: 'text', holds: hasKey },
  NOT_HAS_KEY: { words: 'not to have the key', wants: 'text', holds: not(hasKey) },
  HAS_VALUE: { words: 'to have the value', wants: 'text', holds: hasValue },
  NOT_HAS_VALUE: { words: 'not to have the value', wants: 'text', holds: not(hasValue) },
} satisfies { [K in Comparison]: Comparer };

type Predicate = Comparer['holds'];

function not(holds: Predicate): Predicate {
  return (value, target) => !holds(value, target);
}

function equals(value: unknown, target: Target): boolean {
  return target.equals(value);
}

function isGreater(value: unknown, target: Target): boolean {
  const seen = numberOf(value);
  return seen !== null && target.number !== null && seen > target.number;
}

function isLess(value: unknown, target: Target): boolean {
  const seen = numberOf(value);
  return seen !== null && target.number !== null && seen < target.number;
}

/** Membership in a list, otherwise a part of the text; an object's text is its JSON. */
function contains(value: unknown, target: Target): boolean {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.some((element) => target.equals(element));
  return target.isPartOf(value);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && childrenOf(value).length === 0;
}

function isNull(value: unknown): boolean {
  return value === undefined || value === null;
}

function hasKey(value: unknown, target: Target): boolean {
  return isObject(value) && Object.hasOwn(value, target.text);
}

function hasValue(value: unknown, target: Target): boolean {
  return childrenOf(value).some((child) => target.equals(child));
}
