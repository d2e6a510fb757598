import { expect, test } from 'vitest';
import { reasonOf } from '#shared/results/reason.ts';

const assertion = (given: object) => ({
  source: 'STATUS_CODE',
  comparison: 'EQUALS' as const,
  property: '',
  target: '200',
  regex: '',
  order: 0,
  error: 'Expected …',
  actual: 502 as unknown,
  ...given,
});
const failed = (given: object, cause = 'ASSERTION') =>
  reasonOf({
    failure: { cause, message: 'the whole sentence' },
    apiCheckResult: { assertions: [assertion({ error: null }), assertion(given)] },
  });

test.each([
  ['a status', failed({}), 'status 502, wanted 200'],
  ['a status that no assertion names first', failed({}, 'STATUS'), 'status 502, wanted 200'],
  [
    'a time',
    failed({ source: 'RESPONSE_TIME', comparison: 'LESS_THAN', target: '1000', actual: 1234.567 }),
    'response time 1234.57 ms, wanted less than 1000 ms',
  ],
  [
    'a member of JSON',
    failed({ source: 'JSON_BODY', property: '$.ok', target: 'true', actual: false }),
    '$.ok false, wanted true',
  ],
  ['a value that was not found', failed({ actual: null }), 'the whole sentence'],
  ['a long value', failed({ source: 'HEADERS', actual: 'x'.repeat(100) }), 'the whole sentence'],
  ['a comparison that takes a sentence', failed({ comparison: 'HAS_KEY' }), 'the whole sentence'],
  ['another cause', failed({}, 'CONNECTION_REFUSED'), 'the whole sentence'],
  ['no failure', reasonOf({ failure: null }), undefined],
])('%s is said shortly where it can be', (_name, said, expected) => {
  expect(said).toBe(expected);
});
