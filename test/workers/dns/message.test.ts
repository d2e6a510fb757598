import { type Answer, encode, type Packet } from 'dns-packet';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeMessage, jsonAnswer, textAnswer } from '#workers/dns/message.ts';

function decoded(packet: Packet) {
  const result = decodeMessage(encode({ type: 'response', ...packet }));
  if ('malformed' in result) throw new Error(result.malformed);
  return result.message;
}

const RECORDS: readonly [Answer, string, string?][] = [
  [{ type: 'A', name: 'a.example', ttl: 60, data: '192.0.2.1' }, 'A 192.0.2.1'],
  [{ type: 'AAAA', name: 'a.example', ttl: 60, data: '2001:db8::1' }, 'AAAA 2001:db8::1'],
  [{ type: 'CNAME', name: 'a.example', ttl: 60, data: 'b.example' }, 'CNAME b.example.'],
  [{ type: 'NS', name: 'a.example', ttl: 60, data: 'ns.example' }, 'NS ns.example.'],
  [{ type: 'PTR', name: 'a.example', ttl: 60, data: 'p.example' }, 'PTR p.example.'],
  [
    { type: 'MX', name: 'a.example', ttl: 60, data: { preference: 10, exchange: 'mx.example' } },
    'MX 10 mx.example.',
  ],
  [
    { type: 'TXT', name: 'a.example', ttl: 60, data: ['v=spf1 ', 'say "-all" \\ ü'] },
    'TXT "v=spf1 " "say \\"-all\\" \\\\ \\195\\188"',
    'v=spf1 say "-all" \\ ü',
  ],
  [
    {
      type: 'SOA',
      name: 'a.example',
      ttl: 60,
      data: {
        mname: 'ns.example',
        rname: 'admin.example',
        serial: 2_024_010_100,
        refresh: 7_200,
        retry: 3_600,
        expire: 1_209_600,
        minimum: 300,
      },
    },
    'SOA ns.example. admin.example. 2024010100 7200 3600 1209600 300',
  ],
  [
    {
      type: 'UNKNOWN_65' as 'NULL',
      name: 'a.example',
      ttl: 60,
      data: Buffer.from('000100', 'hex'),
    },
    'HTTPS 1 .',
  ],
  [
    {
      type: 'SRV',
      name: 'a.example',
      ttl: 60,
      data: { priority: 1, weight: 2, port: 3, target: 'x' },
    },
    'SRV \\# 9 000100020003017800',
  ],
  [
    { type: 'UNKNOWN_999' as 'NULL', name: 'a.example', ttl: 60, data: Buffer.from([1, 2]) },
    'TYPE999 \\# 2 0102',
  ],
];

describe('an answer section', () => {
  test.each(RECORDS)('shows $type as text and as JSON', (answer, text, data) => {
    const message = decoded({ answers: [answer] });
    expect(textAnswer(message)).toBe(`a.example. 60 IN ${text}`);
    const [type, ...words] = text.split(' ');
    expect(jsonAnswer(message).Answer).toEqual([
      { name: 'a.example.', type, TTL: 60, data: data ?? words.join(' ') },
    ]);
  });

  test('is a line for each record', () => {
    const data = ['192.0.2.1', '192.0.2.2'];
    const answers = data.map((address) => ({ type: 'A' as const, name: 'x', data: address }));
    expect(textAnswer(decoded({ answers }))).toBe('x. 0 IN A 192.0.2.1\nx. 0 IN A 192.0.2.2');
  });

  test('cannot be given more lines by a name', () => {
    const answers = [{ type: 'CNAME' as const, name: 'x', data: 'evil\n1 IN A 6 6' }];
    expect(textAnswer(decoded({ answers }))).toBe(
      'x. 0 IN CNAME evil\\0101\\032IN\\032A\\0326\\0326.',
    );
  });

  test('is kept up to 64 KiB and counted whole', () => {
    const name = `${'a'.repeat(60)}.`.repeat(4);
    const answers = Array.from({ length: 200 }, () => ({
      type: 'CNAME' as const,
      name,
      data: name,
    }));
    const message = decoded({ answers });
    expect(message.answerCount).toBe(200);
    expect(message.answers.length).toBe(Math.floor(65_536 / (2 * 244)));
  });
});

describe('a message', () => {
  test('has the flags, the code and the question of DNS over HTTPS', () => {
    const flags = 0x0100 | 0x0080 | 0x0020 | 0x0010 | 0x0200 | 3;
    const message = decoded({ flags, questions: [{ name: 'x.example', type: 'MX' }] });
    expect(jsonAnswer(message)).toEqual({
      Status: 'NXDOMAIN',
      TC: true,
      RD: true,
      RA: true,
      AD: true,
      CD: true,
      Question: [{ name: 'x.example.', type: 'MX' }],
      Answer: [],
    });
    expect(message.responseCode).toBe('NXDOMAIN');
  });

  test.each([
    ['too short for a header', Buffer.from('short')],
    ['without the record it announces', Buffer.from('000180000000000100000000', 'hex')],
    [
      'with a name that points to itself',
      Buffer.from('000180000001000000000000c00c00010001', 'hex'),
    ],
    [
      'with a service binding that ends too early',
      encode({
        type: 'response',
        answers: [{ type: 'UNKNOWN_65' as 'NULL', name: 'x', data: Buffer.from([0]) }],
      }),
    ],
  ])('%s is malformed', (_, bytes) => {
    expect(decodeMessage(bytes)).toEqual({ malformed: expect.any(String) });
  });

  test('of any bytes is a message or malformed, never an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        const result = decodeMessage(Buffer.from(bytes));
        return 'malformed' in result || jsonAnswer(result.message).Status !== '';
      }),
      { numRuns: 500 },
    );
  });
});
