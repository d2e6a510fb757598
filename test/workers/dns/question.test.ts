import { decode } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { encodeQuery, questionFor } from '#workers/dns/question.ts';

describe('the question of a DNS check', () => {
  test.each([
    ['example.com', 'example.com'],
    ['example.com.', 'example.com'],
    ['.', '.'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['*.example.com', '*.example.com'],
    ['1.2.0.192.in-addr.arpa', '1.2.0.192.in-addr.arpa'],
    ['1.2.3.4', '1.2.3.4'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['_sip.Straße.example', '_sip.xn--strae-oqa.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('asks %s as %s', (query, name) => {
    expect(questionFor(query, 'A')).toEqual({ question: { name, recordType: 'A' } });
  });

  test.each([
    'two..dots',
    '.leading',
    '{{HOST}}.example',
    'with:port',
    'per%cent',
    `${'a'.repeat(64)}.example`,
    `${'ü'.repeat(60)}.example`,
    Array(64).fill('abcd').join('.'),
  ])('cannot ask %s', (query) => {
    expect(questionFor(query, 'A')).toMatchObject({ failure: { cause: 'INVALID_TARGET' } });
  });

  test('asks for recursion with one question and nothing else', () => {
    const packet = decode(encodeQuery({ name: 'example.com', recordType: 'MX' }, 4711));
    expect(packet).toMatchObject({
      id: 4711,
      type: 'query',
      flag_rd: true,
      questions: [{ name: 'example.com', type: 'MX', class: 'IN' }],
      additionals: [],
    });
  });

  test('asks for HTTPS records by their number, 65', () => {
    const query = encodeQuery({ name: '.', recordType: 'HTTPS' }, 1);
    expect(query.subarray(12).toString('hex')).toBe('0000410001');
  });
});
