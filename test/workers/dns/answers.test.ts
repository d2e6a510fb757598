import { type Answer, decode, type Packet } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import type { QueryType } from '#workers/dns/question.ts';
import { at, runDnsCheck } from '../../fixtures/dns/run-dns.ts';
import { reply, startNameServer } from '../../fixtures/dns/server.ts';
import { calmNetwork } from '../../fixtures/net/runs.ts';

const name = 'www.example.test';
const HTTPS_DATA = Buffer.from('00010000010003026832000300021f90', 'hex');

/** A record of each type that a check may ask for, and its data in text and in JSON. */
const RECORDS = {
  A: [{ type: 'A', name, ttl: 300, data: '192.0.2.7' }, '192.0.2.7', '192.0.2.7'],
  AAAA: [{ type: 'AAAA', name, ttl: 300, data: '2001:db8::7' }, '2001:db8::7', '2001:db8::7'],
  CNAME: [
    { type: 'CNAME', name, ttl: 300, data: 'example.test' },
    'example.test.',
    'example.test.',
  ],
  MX: [
    { type: 'MX', name, ttl: 300, data: { preference: 10, exchange: 'mx.example.test' } },
    '10 mx.example.test.',
    '10 mx.example.test.',
  ],
  TXT: [{ type: 'TXT', name, ttl: 300, data: 'v=spf1 -all' }, '"v=spf1 -all"', 'v=spf1 -all'],
  SOA: [
    {
      type: 'SOA',
      name,
      ttl: 300,
      data: {
        ...{ mname: 'ns.example.test', rname: 'admin.example.test', serial: 7 },
        ...{ refresh: 1, retry: 2, expire: 3, minimum: 4 },
      },
    },
    'ns.example.test. admin.example.test. 7 1 2 3 4',
    'ns.example.test. admin.example.test. 7 1 2 3 4',
  ],
  NS: [
    { type: 'NS', name, ttl: 300, data: 'ns.example.test' },
    'ns.example.test.',
    'ns.example.test.',
  ],
  HTTPS: [
    { type: 'UNKNOWN_65' as 'NULL', name, ttl: 300, data: HTTPS_DATA },
    '1 . alpn="h2" port=8080',
    '1 . alpn="h2" port=8080',
  ],
} satisfies { [T in QueryType]: [Answer, string, string] };

test('secrets in the reach of the check are hidden in what it was answered', async () => {
  const data = 'key=s3cret-word';
  await using server = await startNameServer({
    [name]: { kind: 'answer', answers: [{ type: 'TXT', name, ttl: 300, data }] },
  });
  const assertions = [{ source: 'TEXT_ANSWER', comparison: 'EQUALS', target: 'x' }];
  const request = { query: name, recordType: 'TXT', assertions, ...at(server) };
  const result = await runDnsCheck(request as never, { secrets: ['s3cret-word'] });
  expect(result.dns.response?.answer).toContain('"key=***"');
  expect(JSON.stringify(result)).not.toContain('s3cret');
});

const TYPES = Object.keys(RECORDS) as QueryType[];
const CASES = TYPES.flatMap((type) => [[type, 'UDP'] as const, [type, 'TCP'] as const]);

describe('a DNS check', () => {
  test.each(CASES)('gets an answer of type %s over %s', async (recordType, protocol) => {
    const [answer, text, data] = RECORDS[recordType];
    await using server = await startNameServer({ [name]: { kind: 'answer', answers: [answer] } });

    const run = await runDnsCheck({ query: name, recordType, protocol, ...at(server) });

    expect(run).toMatchObject({
      ...{ hasFailures: false, hasErrors: false, failure: null, statusCode: null },
      metrics: { total: run.responseTime },
    });
    expect(run.dns.response).toEqual({
      returnCode: 'NOERROR',
      answer: `${name}. 300 IN ${recordType} ${text}`,
      json: {
        ...{ Status: 'NOERROR', TC: false, RD: true, RA: true, AD: false, CD: false },
        Question: [{ name: `${name}.`, type: recordType }],
        Answer: [{ name: `${name}.`, type: recordType, TTL: 300, data }],
      },
      responseTime: run.responseTime,
    });
    expect(server.queries.map(({ over }) => over)).toEqual([protocol]);
  });

  test('shows what it asked and whom', async () => {
    await using server = await startNameServer({ [name]: { kind: 'answer', answers: [] } });
    const run = await runDnsCheck({ query: name, recordType: 'A', ...at(server) });
    expect(run.dns).toMatchObject({
      request: {
        ...{ query: name, recordType: 'A', protocol: 'UDP' },
        ...{ nameServer: '127.0.0.1', port: server.port },
      },
      nameServerInfo: { name: '127.0.0.1', host: '127.0.0.1', port: server.port },
      requestError: null,
      jobLog: { setup: [], teardown: [] },
    });
    expect(run.dns.jobLog.request.map(({ level }) => level)).toEqual(['DEBUG', 'INFO']);
  });

  test('asks an internationalised name in ASCII', async () => {
    const answers: Answer[] = [{ type: 'A', name: 'xn--mnchen-3ya.test', data: '192.0.2.1' }];
    await using server = await startNameServer({
      'xn--mnchen-3ya.test': { kind: 'answer', answers },
    });
    const run = await runDnsCheck({ query: 'münchen.test', recordType: 'A', ...at(server) });
    expect(run.dns.response?.answer).toBe('xn--mnchen-3ya.test. 0 IN A 192.0.2.1');
  });

  test.each(['UDP', 'TCP'] as const)('asks a name server at ::1 over %s', async (protocol) => {
    await using server = await startNameServer({ [name]: { kind: 'answer', answers: [] } }, '::1');
    const run = await runDnsCheck({ query: name, recordType: 'A', protocol, ...at(server) });
    expect(run.failure).toBeNull();
    expect(run.dns.nameServerInfo).toEqual({ name: '::1', host: '::1', port: server.port });
  });

  test('resolves the name of a name server and says how long that took', async () => {
    await using server = await startNameServer({ [name]: { kind: 'answer', answers: [] } });
    const run = await runDnsCheck({
      ...{ query: name, recordType: 'A' },
      ...{ nameServer: 'localhost', port: server.port },
    });
    expect(run.failure).toBeNull();
    expect(run.dns.nameServerInfo).toMatchObject({ name: 'localhost', host: '127.0.0.1' });
    expect(run.metrics.dns).toBeGreaterThanOrEqual(0);
  });

  test('reaches a name server that has an IPv6 address only', async () => {
    const aaaa: Answer = { type: 'AAAA', name: 'ns.example.test', ttl: 60, data: '::1' };
    const byType = (query: Packet) => (query.questions?.[0]?.type === 'AAAA' ? [aaaa] : []);
    await using resolver = await startNameServer({
      'ns.example.test': {
        kind: 'raw',
        bytes: (query) => reply(decode(query), byType(decode(query))),
      },
    });
    await using server = await startNameServer({ [name]: { kind: 'answer', answers: [] } }, '::1');
    const network = calmNetwork({ nameServers: [`127.0.0.1:${resolver.port}`] });
    const run = await runDnsCheck(
      { query: name, recordType: 'A', nameServer: 'ns.example.test', port: server.port },
      { network },
    );
    expect(run.failure).toBeNull();
    expect(run.dns.nameServerInfo).toMatchObject({ name: 'ns.example.test', host: '::1' });
  });

  test('takes the port behind the name of a name server', async () => {
    await using server = await startNameServer({ [name]: { kind: 'answer', answers: [] } });
    const nameServer = `localhost:${server.port}`;
    const run = await runDnsCheck({ query: name, recordType: 'A', nameServer });
    expect(run.failure).toBeNull();
    expect(run.dns.nameServerInfo).toMatchObject({ name: 'localhost', port: server.port });
  });

  test('measures the connection over TCP as a part of the whole', async () => {
    await using server = await startNameServer({ [name]: { kind: 'answer', answers: [] } });
    const { metrics } = await runDnsCheck({
      ...{ query: name, recordType: 'A', protocol: 'TCP' },
      ...at(server),
    });
    expect(metrics.connection).toBeGreaterThan(0);
    expect(metrics.total).toBeGreaterThan(metrics.connection ?? Infinity);
  });

  test('puts together an answer over TCP that comes octet by octet', async () => {
    const answers: Answer[] = [{ type: 'A', name, data: '192.0.2.1' }];
    await using server = await startNameServer({ [name]: { kind: 'dribble', answers } });
    const run = await runDnsCheck({ query: name, recordType: 'A', protocol: 'TCP', ...at(server) });
    expect(run.dns.response?.answer).toContain('192.0.2.1');
  });

  test('asks again over TCP when the answer over UDP came truncated, and says so', async () => {
    const answers: Answer[] = [{ type: 'TXT', name, data: 'x'.repeat(250) }];
    await using server = await startNameServer({ [name]: { kind: 'truncate', answers } });
    const run = await runDnsCheck({ query: name, recordType: 'TXT', ...at(server) });
    expect(server.queries.map(({ over }) => over)).toEqual(['UDP', 'TCP']);
    expect(run.dns.response?.answer).toContain('x'.repeat(250));
    expect(run.dns.jobLog.request.map(({ msg }) => msg)).toContain(
      'The answer over UDP came truncated',
    );
  });

  test('uses a new id and a new source port for every question', async () => {
    await using server = await startNameServer({ [name]: { kind: 'answer', answers: [] } });
    const runs = Array.from({ length: 20 }, () =>
      runDnsCheck({ query: name, recordType: 'A', ...at(server) }),
    );
    await Promise.all(runs);
    expect(new Set(server.queries.map(({ id }) => id)).size).toBeGreaterThan(15);
    expect(new Set(server.queries.map(({ sourcePort }) => sourcePort)).size).toBe(20);
  });
});
