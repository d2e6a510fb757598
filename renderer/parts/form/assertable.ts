import { COMPARISONS, type Comparison } from '#shared/checks/blocks.ts';
import type { CheckType } from '#shared/checks/enums.ts';

/** What of a response an assertion looks at. */
export interface Assertable {
  /** What `property` is of it; null where it has none. */
  property: 'jsonPath' | 'header' | 'pattern' | 'latency' | null;
  /** Those that mean something, the likeliest first. */
  comparisons: readonly Comparison[];
  /** What a new one is compared with. */
  target: string;
}

const NUMBERS = ['EQUALS', 'NOT_EQUALS', 'LESS_THAN', 'GREATER_THAN'] as const;
const TIMES = ['LESS_THAN', 'GREATER_THAN'] as const;
const TEXTS = [
  'CONTAINS',
  'NOT_CONTAINS',
  'EQUALS',
  'NOT_EQUALS',
  'IS_EMPTY',
  'NOT_EMPTY',
] as const;
const LINES = [...TEXTS, 'LESS_THAN', 'GREATER_THAN'] as const;
const JSON_VALUES = COMPARISONS.filter((one) => one !== 'HAS_KEY' && one !== 'NOT_HAS_KEY');
/** Pings know neither keys nor values. */
const PING_VALUES = COMPARISONS.filter((one) => !/^(NOT_)?HAS_/.test(one));

const STATUS: Assertable = { property: null, comparisons: NUMBERS, target: '200' };
const TIME: Assertable = { property: null, comparisons: TIMES, target: '1000' };

/** By type of check and source, as they are offered. */
const ASSERTABLES: Readonly<Partial<Record<CheckType, Readonly<Record<string, Assertable>>>>> = {
  API: {
    STATUS_CODE: STATUS,
    JSON_BODY: { property: 'jsonPath', comparisons: COMPARISONS, target: '' },
    HEADERS: { property: 'header', comparisons: COMPARISONS, target: '' },
    TEXT_BODY: { property: 'pattern', comparisons: TEXTS, target: '' },
    RESPONSE_TIME: TIME,
  },
  URL: { STATUS_CODE: STATUS },
  TCP: {
    RESPONSE_DATA: { property: 'pattern', comparisons: LINES, target: '' },
    RESPONSE_TIME: TIME,
  },
  DNS: {
    RESPONSE_CODE: { property: null, comparisons: ['EQUALS', 'NOT_EQUALS'], target: 'NOERROR' },
    TEXT_ANSWER: { property: 'pattern', comparisons: TEXTS, target: '' },
    JSON_ANSWER: { property: 'jsonPath', comparisons: JSON_VALUES, target: '' },
    RESPONSE_TIME: TIME,
  },
  ICMP: {
    LATENCY: { property: 'latency', comparisons: NUMBERS, target: '100' },
    JSON_RESPONSE: { property: 'jsonPath', comparisons: PING_VALUES, target: '' },
  },
};

export function assertablesOf(type: CheckType): Readonly<Record<string, Assertable>> {
  return ASSERTABLES[type] ?? {};
}

const WITHOUT_TARGET: ReadonlySet<string> = new Set([
  'IS_EMPTY',
  'NOT_EMPTY',
  'IS_NULL',
  'NOT_NULL',
]);

/** Whether a comparison needs something to compare with. */
export function needsTarget(comparison: string): boolean {
  return !WITHOUT_TARGET.has(comparison);
}
