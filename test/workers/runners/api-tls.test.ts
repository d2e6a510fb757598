import { describe, expect, test } from 'vitest';
import {
  createAuthority,
  type Names,
  type TestAuthority,
} from '../../fixtures/net/certificates.ts';
import { runApiCheck } from '../../fixtures/net/runs.ts';
import { response, startRawServer, startServer } from '../../fixtures/net/servers.ts';

const LOOPBACK: Names = [
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
  { type: 'dns', value: 'localhost' },
];
const authority: TestAuthority = await createAuthority();
const trusting = { network: { authorities: [authority.pem] } };

/** Within 5 seconds: certificates know no parts of one, and making them takes a moment. */
const hoursFromNow = (hours: number) => expect.closeTo(Date.now() + hours * 3_600_000, -4);

async function secureServer(names: Names, validHours?: [number, number]) {
  const tls = await authority.issue(names, validHours);
  return startRawServer(() => response('safe'), { tls });
}

describe('an API check over TLS', () => {
  test.each([['localhost'], ['127.0.0.1']])('trusts a good certificate for %s', async (host) => {
    await using server = await secureServer(LOOPBACK);
    const result = await runApiCheck({ url: `https://${host}:${server.port}/` }, trusting);
    expect(result).toMatchObject({ failure: null, hasFailures: false, statusCode: 200 });
    expect(result.api.response.body).toBe('safe');
  });

  test('speaks IPv6', async () => {
    const tls = await authority.issue(LOOPBACK);
    await using server = await startRawServer(() => response('six'), { host: '::1', tls });
    const url = `https://${server.authority}/`;
    const result = await runApiCheck({ url, ipFamily: 'IPv6' }, trusting);
    expect(result).toMatchObject({ failure: null, statusCode: 200 });
  });

  test('says whom it spoke to: the address, the certificate, what the handshake took', async () => {
    await using server = await secureServer(LOOPBACK);
    const result = await runApiCheck({ url: `https://localhost:${server.port}/` }, trusting);
    const { connection, timingPhases } = result.api.response;
    expect(connection).toMatchObject({
      address: '127.0.0.1',
      certificate: { domain: 'localhost' },
    });
    expect(Date.parse(connection.certificate?.notAfter ?? '')).toBeGreaterThan(Date.now());
    expect(connection.tlsMs).toBeGreaterThan(0);
    expect(connection.tlsMs).toBeLessThan(timingPhases.firstByte);
  });

  test('counts the handshake to the first byte', async () => {
    await using server = await secureServer(LOOPBACK);
    const result = await runApiCheck({ url: `https://localhost:${server.port}/` }, trusting);
    const { timings, timingPhases } = result.api.response;
    expect(timingPhases.firstByte).toBeCloseTo(timings.response - timings.connect, 2);
    expect(timingPhases.firstByte).toBeGreaterThan(0);
  });

  const other: Names = [{ type: 'dns', value: 'other.test' }];
  test.each([
    ['TLS_EXPIRED', 'an expired certificate', LOOPBACK, [-24, -1], true],
    ['TLS_EXPIRED', 'a certificate that is not valid yet', LOOPBACK, [1, 24], true],
    ['TLS_WRONG_HOST', 'a certificate for another host', other, [-24, 24], true],
    ['TLS_UNTRUSTED', 'a certificate of an unknown authority', LOOPBACK, [-24, 24], false],
  ] as const)('fails with %s on %s', async (cause, _what, names, hours, trusts) => {
    await using server = await secureServer([...names], [...hours]);
    const url = `https://localhost:${server.port}/`;
    const result = await runApiCheck({ url }, trusts ? trusting : {});
    expect(result).toMatchObject({ failure: { cause }, hasFailures: true, hasErrors: false });
    expect(server.requests).toEqual([]);
    expect(result.certificate).toEqual({ domain: 'localhost', notAfter: hoursFromNow(hours[1]) });
    const skipped = await runApiCheck({ url, skipSSL: true }, trusts ? trusting : {});
    expect(skipped).toMatchObject({ failure: null, statusCode: 200 });
    expect(skipped.certificate).toEqual(result.certificate);
  });

  test('tells until when the certificate is valid, and of none without TLS', async () => {
    await using server = await secureServer(LOOPBACK, [-1, 72]);
    await using plain = await startRawServer(() => response('plain'));
    const secure = await runApiCheck({ url: `https://LOCALHOST:${server.port}/` }, trusting);
    expect(secure.certificate).toEqual({ domain: 'localhost', notAfter: hoursFromNow(72) });
    const other = await runApiCheck({ url: `http://127.0.0.1:${plain.port}/` });
    expect(other).not.toHaveProperty('certificate');
  });

  test('tells of the certificate that it met first where a redirect leads to another', async () => {
    await using last = await secureServer(LOOPBACK, [-1, 72]);
    const tls = await authority.issue(LOOPBACK, [-1, 5]);
    const location = `https://127.0.0.1:${last.port}/`;
    const moved = `HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`;
    await using first = await startRawServer(() => moved, { tls });
    const result = await runApiCheck({ url: `https://localhost:${first.port}/` }, trusting);
    expect(result).toMatchObject({ failure: null, api: { response: { href: location } } });
    expect(result.certificate).toEqual({ domain: 'localhost', notAfter: hoursFromNow(5) });
  });

  test('fails with TLS_HANDSHAKE where the server speaks no TLS', async () => {
    await using server = await startServer((socket) => socket.end('220 mail.test ESMTP\r\n'));
    const result = await runApiCheck({ url: `https://127.0.0.1:${server.port}/` });
    expect(result.failure?.cause).toBe('TLS_HANDSHAKE');
    expect(result.api.requestError).toBe(result.failure?.message);
  });

  test('fails with TLS_HANDSHAKE where no version is shared', async () => {
    const identity = await authority.issue(LOOPBACK);
    const tls = { ...identity, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' } as const;
    await using server = await startRawServer(() => response(), { tls });
    const result = await runApiCheck({ url: `https://localhost:${server.port}/` }, trusting);
    expect(result.failure?.cause).toBe('TLS_HANDSHAKE');
  });

  test('fails with CONNECTION_RESET where the server hangs up in the handshake', async () => {
    await using server = await startServer((socket) => socket.once('data', () => socket.end()));
    const result = await runApiCheck({ url: `https://127.0.0.1:${server.port}/` });
    expect(result.failure?.cause).toBe('CONNECTION_RESET');
  });
});
