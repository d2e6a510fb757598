import { describe, expect, test } from 'vitest';
import { createAuthority } from '../../fixtures/net/certificates.ts';
import { runApiCheck } from '../../fixtures/net/runs.ts';
import { type RawServer, response, startRawServer } from '../../fixtures/net/servers.ts';

const SECRETS = [
  { key: 'Authorization', value: 'Bearer for-one-origin' },
  { key: 'Cookie', value: 'session=1' },
  { key: 'X-Kept', value: 'yes' },
];

/** `/start` leads to `target`; everything else is the end. */
function startRedirector(target: (server: RawServer) => string, status = '302 Found') {
  return startRawServer(({ line }, server) =>
    line.includes(' /start')
      ? response('moved', { location: target(server) }, status)
      : response('the end'),
  );
}

describe('an API check that is redirected', () => {
  test.each([
    ['301 Moved', 'POST', 'GET', ''],
    ['302 Found', 'PUT', 'GET', ''],
    ['303 See Other', 'POST', 'GET', ''],
    ['302 Found', 'HEAD', 'HEAD', ''],
    ['307 Temporary', 'POST', 'POST', 'payload'],
    ['308 Permanent', 'PATCH', 'PATCH', 'payload'],
  ])('by %s after %s asks with %s and the body %j', async (status, method, then, body) => {
    await using server = await startRedirector(() => '/next?a=b', status);
    const sent = method === 'HEAD' ? {} : { bodyType: 'JSON', body: 'payload' };
    const url = `http://${server.authority}/start`;
    const result = await runApiCheck({ method, url, ...sent });
    const last = server.requests[1];
    expect(last).toMatchObject({ line: `${then} /next?a=b HTTP/1.1`, body });
    expect(last?.headers['content-type']).toBe(body === '' ? undefined : 'application/json');
    expect(last?.headers['content-length']).toBe(body === '' ? undefined : '7');
    expect(result).toMatchObject({ failure: null, statusCode: 200 });
    expect(result.api.request).toMatchObject({ method, url });
    expect(result.api.response.href).toBe(`http://${server.authority}/next?a=b`);
  });

  test('measures the whole way', async () => {
    await using server = await startRedirector(() => '/next');
    const { metrics, api } = await runApiCheck({ url: `http://${server.authority}/start` });
    const { wait, dns, tcp, firstByte, download, total } = api.response.timingPhases;
    expect(wait + dns + tcp + firstByte + download).toBeCloseTo(total, 1);
    expect(metrics.total).toBe(api.response.timings.end);
    expect(server.connections).toBe(2);
  });

  test('takes no longer than it takes', async () => {
    await using server = await startRawServer(({ line }) => {
      const step = Number(/\/(\d+)/.exec(line)?.[1]);
      return step === 0 ? response() : response('', { location: `/${step - 1}` }, '302 X');
    });
    const from = performance.now();
    const { metrics } = await runApiCheck({ url: `http://${server.authority}/9` });
    expect(metrics.total).toBeLessThan(performance.now() - from);
  });

  test('gets the redirect itself where it is not to be followed', async () => {
    await using server = await startRedirector(() => '/next');
    const url = `http://${server.authority}/start`;
    const result = await runApiCheck({ url, followRedirects: false });
    expect(result).toMatchObject({ failure: null, statusCode: 302 });
    expect(result.api.response).toMatchObject({ body: 'moved', headers: { location: '/next' } });
    expect(server.requests).toHaveLength(1);
  });

  test('takes a redirect to nowhere for the answer', async () => {
    await using server = await startRawServer(() => response('choose', {}, '302 Found'));
    const result = await runApiCheck({ url: `http://${server.authority}/` });
    expect(result).toMatchObject({ failure: null, statusCode: 302 });
  });

  test('keeps credentials for the same origin', async () => {
    await using server = await startRedirector(({ authority }) => `http://${authority}/next`);
    await runApiCheck({ url: `http://${server.authority}/start`, headers: SECRETS });
    expect(server.requests[1]?.headers).toMatchObject({
      authorization: 'Bearer for-one-origin',
      cookie: 'session=1',
    });
  });

  test('keeps credentials from another origin', async () => {
    await using other = await startRawServer(() => response('other'));
    await using server = await startRedirector(() => `http://evil:pass@${other.authority}/`);
    const headers = [
      ...SECRETS,
      { key: 'Host', value: 'virtual.test' },
      { key: 'X-Api-Key', value: 'key-of-one' },
      { key: 'X-Tenant', value: 'locked', locked: true },
      { key: 'X-Token', value: 'Token {{TOKEN}}' },
    ];
    const scope = { variables: { TOKEN: 's3cret-token' }, secrets: ['s3cret-token'] };
    const url = `http://${server.authority}/start`;
    const result = await runApiCheck({ url, headers }, { scope });
    expect(result.api.response.body).toBe('other');
    expect(server.requests[0]?.headers).toMatchObject({
      host: 'virtual.test',
      'x-api-key': 'key-of-one',
      'x-tenant': 'locked',
      'x-token': 'Token s3cret-token',
    });
    expect(other.requests[0]?.headers).toMatchObject({ host: other.authority, 'x-kept': 'yes' });
    for (const name of ['authorization', 'cookie', 'x-api-key', 'x-tenant', 'x-token']) {
      expect(other.requests[0]?.headers).not.toHaveProperty(name);
    }
    expect(result.api.response.href).toBe(`http://${other.authority}/`);
  });

  test('goes from http to https, and checks the certificate there', async () => {
    const authority = await createAuthority();
    const tls = await authority.issue([{ type: 'ip', value: '127.0.0.1' }]);
    await using secure = await startRawServer(() => response('safe'), { tls });
    await using server = await startRedirector(() => `https://${secure.authority}/`);
    const url = `http://${server.authority}/start`;
    expect((await runApiCheck({ url })).failure?.cause).toBe('TLS_UNTRUSTED');
    const network = { authorities: [authority.pem] };
    expect((await runApiCheck({ url }, { network })).api.response.body).toBe('safe');
  });

  test('follows ten and no more', async () => {
    await using server = await startRawServer(({ line }) => {
      const step = Number(/\/(\d+)/.exec(line)?.[1]);
      return step === 0 ? response('arrived') : response('', { location: `/${step - 1}` }, '302 X');
    });
    const ten = await runApiCheck({ url: `http://${server.authority}/10` });
    expect(ten.api.response.body).toBe('arrived');
    const eleven = await runApiCheck({ url: `http://${server.authority}/11` });
    expect(eleven.failure?.cause).toBe('TOO_MANY_REDIRECTS');
    expect(server.requests).toHaveLength(11 + 11);
  });

  test.each([
    ['INVALID_TARGET', 'file:///etc/passwd'],
    ['INVALID_TARGET', 'javascript:alert(1)'],
    ['INVALID_TARGET', 'ftp://127.0.0.1/'],
    ['PROTOCOL_ERROR', 'http://['],
  ])('fails with %s on the way to %s', async (cause, location) => {
    await using server = await startRedirector(() => location);
    const result = await runApiCheck({ url: `http://${server.authority}/start` });
    expect(result).toMatchObject({ failure: { cause }, statusCode: null });
  });

  test.each([['127.0.0.1'], ['0x7f.1'], ['[::ffff:127.0.0.1]']])(
    'is not led into a denied range by way of %s',
    async (host) => {
      await using inner = await startRawServer(() => response('metadata'));
      await using server = await startRawServer(
        () => response('', { location: `http://${host}:${inner.port}/` }, '302 Found'),
        { host: '::1' },
      );
      const url = `http://${server.authority}/`;
      const deniedRanges = ['127.0.0.0/8'];
      const result = await runApiCheck({ url, ipFamily: 'IPv6' }, { deniedRanges });
      expect(['DENIED_TARGET', 'INVALID_TARGET']).toContain(result.failure?.cause);
      expect(inner.connections).toBe(0);
    },
  );

  test('is denied at a later hop over the same family', async () => {
    await using inner = await startRawServer(() => response('metadata'));
    await using server = await startRedirector(() => `http://127.0.0.1:${inner.port}/`);
    const url = `http://localhost:${server.port}/start`;
    const allowed = await runApiCheck({ url });
    expect(allowed.api.response.body).toBe('metadata');
    const denied = await runApiCheck({ url }, { deniedRanges: ['127.0.0.1/32'] });
    expect(denied.failure?.cause).toBe('DENIED_TARGET');
    expect(inner.connections).toBe(1);
  });
});
