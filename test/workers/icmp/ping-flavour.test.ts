import { describe, expect, test } from 'vitest';
import { pingFlavour } from '#workers/icmp/ping-flavour.ts';

describe('the call of ping', () => {
  test.each([
    ['linux', 'IPv4', 'ping', '-4 -n -c 10 -i 0.5 -s 56 -W 2 -- 192.0.2.1'],
    ['linux', 'IPv6', 'ping', '-6 -n -c 10 -i 0.5 -s 56 -W 2 -- 192.0.2.1'],
    ['android', 'IPv4', 'ping', '-4 -n -c 10 -i 0.5 -s 56 -W 2 -- 192.0.2.1'],
    ['darwin', 'IPv4', 'ping', '-n -c 10 -i 0.5 -s 56 -W 2000 -- 192.0.2.1'],
    ['freebsd', 'IPv6', 'ping6', '-n -c 10 -i 0.5 -s 56 -- 192.0.2.1'],
    ['win32', 'IPv6', 'ping', '-6 -n 10 -l 56 -w 2000 192.0.2.1'],
  ] as const)('on %s over %s', (platform, family, program, args) => {
    const dialect = pingFlavour(platform);
    expect(dialect.program[family]).toBe(program);
    expect(dialect.args('192.0.2.1', family, 10).join(' ')).toBe(args);
  });
});
