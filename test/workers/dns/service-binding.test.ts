import { describe, expect, test } from 'vitest';
import { serviceBindingText } from '#workers/dns/service-binding.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

/** The test vectors of RFC 9460, appendix D, and what it does not cover. */
const VECTORS: readonly [string, string, string][] = [
  ['an alias', '0000 03666f6f 076578616d706c65 03636f6d 00', '0 foo.example.com.'],
  ['the owner itself as target', '0001 00', '1 .'],
  [
    'a port',
    '0010 03666f6f 076578616d706c65 03636f6d 00 0003 0002 0035',
    '16 foo.example.com. port=53',
  ],
  [
    'an unknown key',
    '0001 03666f6f 076578616d706c65 03636f6d 00 029b 0005 68656c6c6f',
    '1 foo.example.com. key667="hello"',
  ],
  [
    'an unknown key with an octet that cannot be printed',
    '0001 03666f6f 076578616d706c65 03636f6d 00 029b 0009 68656c6c6fd2716f6f',
    '1 foo.example.com. key667="hello\\210qoo"',
  ],
  [
    'two IPv6 hints',
    `0001 03666f6f 076578616d706c65 03636f6d 00 0006 0020
     20010db8000000000000000000000001 20010db8000000000000000000530001`,
    '1 foo.example.com. ipv6hint=2001:db8::1,2001:db8::53:1',
  ],
  [
    'mandatory keys, alpn and IPv4 hints',
    `0010 03666f6f 076578616d706c65 036f7267 00 0000 0004 00010004
     0001 0009 0268320568332d3139 0004 0004 c0000201`,
    '16 foo.example.org. mandatory=alpn,ipv4hint alpn="h2,h3-19" ipv4hint=192.0.2.1',
  ],
  [
    'ech, no-default-alpn and dohpath',
    '0001 00 0002 0000 0005 0003 010203 0007 0004 2f713f78',
    '1 . no-default-alpn ech=AQID dohpath="/q?x"',
  ],
  ['a value with quotes', '0001 00 029b 0003 226122', '1 . key667="\\"a\\""'],
];

describe('service binding data', () => {
  test.each(VECTORS)('shows %s', (_, data, text) => {
    expect(serviceBindingText(hex(data))).toBe(text);
  });

  test.each([
    ['nothing', ''],
    ['a target without its end', '0001 03666f6f'],
    ['a parameter without its value', '0001 00 0003 0002 01'],
    ['a parameter without its length', '0001 00 0003'],
    ['a port of one octet', '0001 00 0003 0001 01'],
    ['an IPv4 hint of three octets', '0001 00 0004 0003 010203'],
    ['an alpn id longer than its list', '0001 00 0001 0002 0568'],
  ])('refuses %s', (_, data) => {
    expect(() => serviceBindingText(hex(data))).toThrow(RangeError);
  });
});
