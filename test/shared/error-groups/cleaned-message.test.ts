import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanedMessage } from '#shared/error-groups/cleaned-message.ts';
import { archivedAfter, errorGroupKey } from '#shared/error-groups/error-group.ts';
import { cpuMsOf } from '../../fixtures/cpu-time.ts';

const MESSAGES: [message: string, cleaned: string][] = [
  ['Timed out after 5000 ms while connecting', 'Timed out after <number> ms while connecting'],
  ['Expected a status below 400, but got 503', 'Expected a status below 400, but got 503'],
  ['connect ECONNREFUSED 10.1.2.3:443', 'connect ECONNREFUSED <address>'],
  ['Nobody listens at [::1]:80', 'Nobody listens at <address>'],
  ['no route to 2001:db8::17', 'no route to <address>'],
  ['10.0.0.0/8 is denied', '<address> is denied'],
  ['std::vector is no address', 'std::vector is no address'],
  ['Expected "abc" to equal "x 5"', 'Expected <text> to equal <text>'],
  ['“shop.example” is not a domain name', '<text> is not a domain name'],
  ["don't expect 'a b', it isn't there", "don't expect <text>, it isn't there"],
  ['one " quote', 'one " quote'],
  ['at 2026-01-02T03:04:05.678Z', 'at <time>'],
  ['at 2026-01-02 03:04:05 +0100, not 2026-01-03', 'at <time> +<number>, not <time>'],
  ['at 12:30:11 PM', 'at <time>'],
  ['order 550e8400-e29b-41d4-a716-446655440000', 'order <id>'],
  [
    'pointer 0xDEADbeef, commit 63d4aa8f, token req_8sd7f6sdf8aaaa',
    'pointer <id>, commit <id>, token <id>',
  ],
  ['a defaced facade', 'a defaced facade'],
  ['HTTP2 over TLS1, sha256 in 12ms', 'HTTP2 over TLS1, sha256 in <number>ms'],
  ['1,000.50 of 12345678901234567', '<number> of <number>'],
  [
    'More than 10 redirects, the next one to https://a.example/b?c=1',
    'More than <number> redirects, the next one to <url>',
  ],
  ['mail from me@example.org refused', 'mail from <address> refused'],
  ['  two\n\tlines ', 'two lines'],
  [
    'Error: expect(locator).toBeVisible() failed\n\nTimeout: 5000ms\n\nCall log:\n  - 9 × unexpected value',
    'Error: expect(locator).toBeVisible() failed Timeout: <number>ms',
  ],
  ['', ''],
];

test.each(MESSAGES)('%j becomes %j', (message, cleaned) => {
  expect(cleanedMessage(message)).toBe(cleaned);
});

test('the longest message of any repeated part takes little time and comes out short', () => {
  const parts = [
    'a',
    '1',
    'a1',
    '"',
    "'",
    '`',
    '“',
    '1.',
    ':',
    '0:',
    'a@',
    '-',
    'status ',
    '[',
    '0x',
    'a://',
    '2026-',
    '1:1',
  ];
  for (const part of parts) {
    const message = part.repeat(100_000);
    expect(cleanedMessage(message).length).toBeLessThanOrEqual(1_000);
    const took = Array.from({ length: 20 }, () => cpuMsOf(() => cleanedMessage(message)));
    expect(Math.min(...took), part).toBeLessThan(10);
  }
});

test('messages that differ in a number alone are in one group of a check, and in another of another', () => {
  const [one, other] = ['Timed out after 5000 ms', 'Timed out after 731 ms'];
  expect(errorGroupKey('a', one)).toEqual(errorGroupKey('a', other));
  expect(errorGroupKey('a', one).id).not.toBe(errorGroupKey('b', one).id);
  expect(errorGroupKey('a', one).errorHash).toBe(errorGroupKey('b', one).errorHash);
  fc.assert(
    fc.property(fc.string(), fc.string(), (scope, message) => {
      const { id, errorHash } = errorGroupKey(scope, message);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(errorHash).toMatch(/^[0-9a-f]{32}$/);
    }),
  );
});

test.each([
  ['none', {}, 'none'],
  ['none', { archivedUntilNextEvent: true }, 'untilNextEvent'],
  ['untilNextEvent', { archivedUntilNextEvent: false }, 'none'],
  ['untilNextEvent', { archiveForEver: false }, 'untilNextEvent'],
  ['untilNextEvent', { archiveForEver: true }, 'forEver'],
  ['forEver', { archivedUntilNextEvent: false }, 'forEver'],
  ['forEver', { archiveForEver: false }, 'none'],
  ['forEver', { archiveForEver: false, archivedUntilNextEvent: true }, 'untilNextEvent'],
] as const)('archived %s, %j makes it %s', (before, patch, after) => {
  expect(archivedAfter(before, patch)).toBe(after);
});
