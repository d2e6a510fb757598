import type { Answer } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import type { CheckOf } from '#shared/checks/check.ts';
import { at, runDnsCheck } from '../../fixtures/dns/run-dns.ts';
import { startNameServer } from '../../fixtures/dns/server.ts';

type DnsAssertion = CheckOf<'DNS'>['request']['assertions'][number];

const name = 'www.example.test';
const answers: Answer[] = [{ type: 'A', name, ttl: 300, data: '192.0.2.7' }];

function assertion(
  source: DnsAssertion['source'],
  comparison: DnsAssertion['comparison'],
  target: string,
  property = '',
): DnsAssertion {
  return { source, comparison, target, property, regex: '' };
}

describe('the verdict on a DNS check', () => {
  test.each([
    [1, 'FORMERR'],
    [2, 'SERVFAIL'],
    [3, 'NXDOMAIN'],
    [4, 'NOTIMP'],
    [5, 'REFUSED'],
  ])('of response code %i is a failure', async (status, returnCode) => {
    await using server = await startNameServer({ [name]: { kind: 'code', status } });
    const run = await runDnsCheck({ query: name, recordType: 'A', ...at(server) });
    expect(run).toMatchObject({
      ...{ hasFailures: true, hasErrors: false },
      failure: { cause: 'RESPONSE_CODE' },
    });
    expect(run.dns.response?.returnCode).toBe(returnCode);
    expect(run.dns.requestError).toBeNull();
  });

  test('is left to an assertion on the response code', async () => {
    await using server = await startNameServer({});
    const assertions = [assertion('RESPONSE_CODE', 'EQUALS', 'NXDOMAIN')];
    const run = await runDnsCheck({ query: name, recordType: 'A', assertions, ...at(server) });
    expect(run).toMatchObject({ hasFailures: false, failure: null });
    expect(run.dns.assertions).toMatchObject([{ order: 0, error: null, actual: 'NXDOMAIN' }]);
  });

  test.each([
    ['the time', assertion('RESPONSE_TIME', 'LESS_THAN', '5000')],
    ['the text', assertion('TEXT_ANSWER', 'CONTAINS', 'IN A 192.0.2.7')],
    ['a part of the text', assertion('TEXT_ANSWER', 'EQUALS', '300', '\\. (\\d+) IN')],
    ['the data', assertion('JSON_ANSWER', 'EQUALS', '192.0.2.7', '$.Answer[0].data')],
    ['the number of records', assertion('JSON_ANSWER', 'EQUALS', '1', '$.Answer.length')],
  ])('follows an assertion on %s that holds', async (_, one) => {
    await using server = await startNameServer({ [name]: { kind: 'answer', answers } });
    const run = await runDnsCheck({
      ...{ query: name, recordType: 'A', assertions: [one] },
      ...at(server),
    });
    expect(run).toMatchObject({ hasFailures: false, failure: null });
  });

  test('follows an assertion that does not hold', async () => {
    await using server = await startNameServer({ [name]: { kind: 'answer', answers } });
    const assertions = [assertion('JSON_ANSWER', 'EQUALS', '192.0.2.8', '$.Answer[0].data')];
    const run = await runDnsCheck({ query: name, recordType: 'A', assertions, ...at(server) });
    expect(run).toMatchObject({ hasFailures: true, failure: { cause: 'ASSERTION' } });
    expect(run.dns.assertions[0]?.error).toContain('192.0.2.7');
  });

  test.each([
    ['degraded', { degradedResponseTime: 0, maxResponseTime: 5_000 }, true, false],
    ['failed', { degradedResponseTime: 0, maxResponseTime: 0 }, false, true],
  ])('is %s beyond its limit of time', async (_, check, isDegraded, overMaxResponseTime) => {
    await using server = await startNameServer({ [name]: { kind: 'answer', answers } });
    const run = await runDnsCheck({ query: name, recordType: 'A', ...at(server) }, { check });
    expect(run).toMatchObject({
      ...{ isDegraded, overMaxResponseTime },
      hasFailures: overMaxResponseTime,
    });
  });
});
