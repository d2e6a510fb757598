import { describe, expect, test } from 'vitest';
import { deniedKind } from '#main/notifications/egress/addresses.ts';

describe('which addresses alerts may be sent to', () => {
  test.each<[string, string | null]>([
    ['93.184.216.34', null],
    ['2606:2800:220:1:248:1893:25c8:1946', null],
    ['64:ff9b::5db8:d822', null],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['10.1.2.3', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.0.1', 'private'],
    ['169.254.169.254', 'linkLocal'],
    ['100.64.0.1', 'carrierGradeNat'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['192.0.2.1', 'reserved'],
    ['198.18.0.1', 'reserved'],
    ['240.0.0.1', 'reserved'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['fc00::1', 'uniqueLocal'],
    ['fe80::1', 'linkLocal'],
    ['fe80::1%eth0', 'linkLocal'],
    ['fec0::1', 'deprecatedSiteLocal'],
    ['ff02::1', 'multicast'],
    ['2001:db8::1', 'reserved'],
    ['::ffff:10.0.0.1', 'ipv4Mapped'],
    ['::ffff:93.184.216.34', 'ipv4Mapped'],
    ['::127.0.0.1', 'ipv4Mapped'],
    ['::7f00:1', 'loopback'],
    ['::a00:1', 'private'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['64:ff9b:1::7f00:1', 'rfc6052'],
    ['2002:7f00:1::', '6to4'],
  ])('%s', (address, kind) => {
    expect(deniedKind(address, [])).toBe(kind);
    expect(deniedKind(address, true)).toBeNull();
  });
});

describe('ranges allow what lies in them, and no more', () => {
  test.each<[string, string[], string | null]>([
    ['10.0.0.1', ['10.0.0.0/24'], null],
    ['10.0.1.1', ['10.0.0.0/24'], 'private'],
    ['::ffff:10.0.0.1', ['10.0.0.0/24'], null],
    ['64:ff9b::a00:1', ['10.0.0.0/24'], null],
    ['::1', ['127.0.0.0/8'], 'loopback'],
    ['::1', ['127.0.0.0/8', '::1/128'], null],
    ['fd00::5', ['fd00::/8'], null],
  ])('%s with %j', (address, ranges, kind) => {
    expect(deniedKind(address, ranges)).toBe(kind);
  });
});
