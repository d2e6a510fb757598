import { describe, expect, test } from 'vitest';
import { isDenied } from '#workers/net/denied.ts';

describe('an address in the operator’s denied ranges', () => {
  test.each([
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['169.254.169.254', '169.254.169.254/32', true],
    ['127.0.0.1', '127.0.0.0/8', true],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['::ffff:0a01:0203', '10.0.0.0/8', true],
    ['64:ff9b::a01:203', '10.0.0.0/8', true],
    ['::ffff:11.1.2.3', '10.0.0.0/8', false],
    ['0.0.0.0', '127.0.0.0/8', true],
    ['::', '127.0.0.0/8', true],
    ['::', '::1/128', true],
    ['::ffff:0.0.0.0', '127.0.0.0/8', true],
    ['0.0.0.0', '10.0.0.0/8', false],
    ['fd00::5', 'fc00::/7', true],
    ['fe80::1%eth0', 'fe80::/10', true],
    ['2001:db8::1', 'fc00::/7', false],
    ['10.1.2.3', '::/0', false],
    ['1.2.3.4', '0.0.0.0/0', true],
  ])('%s in %s: %s', (address, range, denied) => {
    expect(isDenied(address, [range])).toBe(denied);
    expect(isDenied(address, ['192.0.2.0/24', range])).toBe(denied);
  });

  test('is none where there are no ranges', () => {
    expect(isDenied('127.0.0.1', [])).toBe(false);
  });

  test('is refused where the range is none', () => {
    expect(() => isDenied('127.0.0.1', ['nonsense'])).toThrow();
  });
});
