import type { Comparison } from '#shared/checks/blocks.ts';
import type { ShownAssertion } from './notice.ts';

/** What stands before the value wanted. */
const WANTED: Readonly<Record<Comparison, string>> = {
  EQUALS: '',
  NOT_EQUALS: 'anything but',
  GREATER_THAN: 'more than',
  LESS_THAN: 'less than',
  CONTAINS: 'something with',
  NOT_CONTAINS: 'nothing with',
  IS_EMPTY: 'nothing',
  NOT_EMPTY: 'something',
  IS_NULL: 'null',
  NOT_NULL: 'anything but null',
  HAS_KEY: 'the key',
  NOT_HAS_KEY: 'no key',
  HAS_VALUE: 'the value',
  NOT_HAS_VALUE: 'no value',
};

/** An assertion that did not hold, in words: `status: wanted 200, got 500`. */
export function assertionText(assertion: ShownAssertion): string {
  const { source, property, comparison, target, actual } = assertion;
  const words = WANTED[comparison as Comparison] ?? comparison;
  const subject = [subjectOf(source), property].filter((word) => word).join(' ');
  const wanted = ['wanted', words, target].filter((word) => word).join(' ');
  return `${subject}: ${wanted}, got ${actual}`;
}

/** `STATUS_CODE` is the status, `JSON_BODY` the JSON body. */
function subjectOf(source: string): string {
  if (source === 'STATUS_CODE') return 'status';
  return source
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/^json\b/, 'JSON');
}
