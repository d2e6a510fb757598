import { describe, expect, test } from 'vitest';
import { runApiCheck } from '../../fixtures/net/runs.ts';
import { response, startRawServer } from '../../fixtures/net/servers.ts';

/** Answers with all that it was told. */
function startEcho() {
  return startRawServer(({ line, lines, body }) =>
    response([line, ...lines, body].join('\n'), {
      'content-type': 'text/plain',
      'set-cookie': 'session=from-the-server',
      'x-echo': lines.join(' '),
    }),
  );
}

describe('what is kept of an API check', () => {
  test.each(['Authorization', 'Proxy-Authorization', 'Cookie', 'X-Api-Key'])(
    'never shows the value of %s, even where the target repeats it',
    async (key) => {
      await using server = await startEcho();
      const headers = [{ key, value: 'Token s3cret-v@lue' }];
      const result = await runApiCheck({ url: `http://${server.authority}/`, headers });
      expect(server.requests[0]?.headers[key.toLowerCase()]).toBe('Token s3cret-v@lue');
      expect(result.api.request.headers[key]).toBe('***');
      expect(JSON.stringify(result)).not.toContain('s3cret-v');
      expect(result.api.response.body).toContain(`${key}: ***`);
    },
  );

  test('never shows a cookie that the target sets', async () => {
    await using server = await startEcho();
    const assertions = [
      { source: 'HEADERS', property: 'Set-Cookie', comparison: 'EQUALS', target: 'none' },
    ];
    const result = await runApiCheck({ url: `http://${server.authority}/`, assertions });
    expect(result.api.response.headers['set-cookie']).toBe('***');
    expect(result.failure?.cause).toBe('ASSERTION');
    expect(result.api.assertions[0]).toMatchObject({ actual: '***' });
    expect(JSON.stringify(result)).not.toContain('from-the-server');
  });

  // Its base64 has a slash, which base64url writes otherwise.
  const secret = 'lo?>>?~ck"ed &/välue';
  test.each([
    ['as it is', (text: string) => text],
    ['as JSON', (text: string) => JSON.stringify(text)],
    ['URL-encoded', encodeURIComponent],
    ['form-encoded', (text: string) => new URLSearchParams({ k: text }).toString()],
    ['in base64', (text: string) => Buffer.from(text).toString('base64')],
    ['in base64url', (text: string) => Buffer.from(text).toString('base64url')],
  ])('never shows a locked value that comes back %s', async (_form, encode) => {
    await using server = await startRawServer(() => response(`<${encode(secret)}>`));
    const queryParameters = [{ key: 'k', value: secret, locked: true }];
    const result = await runApiCheck({ url: `http://${server.authority}/`, queryParameters });
    expect(server.requests[0]?.line).toContain(encodeURIComponent(secret));
    expect(result.api.response.body).toMatch(/^<.*\*\*\*["=]*>$/);
    expect(result.api.request.params).toEqual({ k: '***' });
    for (const form of [secret, encodeURIComponent(secret)]) {
      expect(JSON.stringify(result)).not.toContain(form);
    }
  });

  test('shows neither a locked header nor a password', async () => {
    await using server = await startEcho();
    const headers = [
      { key: 'X-Tenant', value: 'tenant-4711', locked: true },
      { key: 'X-Open', value: 'visible' },
      { key: 'X-Pin', value: '123', locked: true },
    ];
    const basicAuth = { username: 'user', password: 'correct horse' };
    const result = await runApiCheck({ url: `http://${server.authority}/`, headers, basicAuth });
    const kept = JSON.stringify(result);
    expect(result.api.request.headers).toMatchObject({
      'X-Tenant': '***',
      'X-Open': 'visible',
      'X-Pin': '***',
      authorization: '***',
    });
    expect(kept).not.toContain('tenant-4711');
    expect(kept).not.toContain('correct horse');
    expect(kept).not.toContain(Buffer.from('user:correct horse').toString('base64'));
  });

  test('hides a locked query value too short to search for wherever its name stands', async () => {
    await using server = await startRawServer(({ line }) =>
      line.includes('/start')
        ? response('', { location: '/end?pin=42&open=42' }, '302 Found')
        : response(`<a href="${line.split(' ')[1]}">42</a> pin=421`, {}),
    );
    const queryParameters = [
      { key: 'pin', value: '42', locked: true },
      { key: 'open', value: '42' },
    ];
    const url = `http://${server.authority}/start?other_pin=42`;
    const result = await runApiCheck({ url, queryParameters });
    const base = `http://${server.authority}`;
    expect(server.requests[0]?.line).toBe('GET /start?other_pin=42&pin=42&open=42 HTTP/1.1');
    expect(result.api.request.url).toBe(`${base}/start?other_pin=42&pin=***&open=42`);
    expect(result.api.response.href).toBe(`${base}/end?pin=***&open=42`);
    expect(result.api.response.body).toBe('<a href="/end?pin=***&open=42">42</a> pin=421');
    expect(JSON.stringify(result)).not.toContain('&pin=42');
    expect(JSON.stringify(result)).not.toContain('?pin=42');
  });

  test.each([['http://user:in-the-url@127.0.0.1/{{NAME}}'], ['http://user:in-the-url@{{HOST}}/']])(
    'shows no password of a URL that cannot be asked for: %s',
    async (url) => {
      const result = await runApiCheck({ url });
      expect(result.failure?.cause).toBe('INVALID_TARGET');
      expect(JSON.stringify(result)).not.toContain('in-the-url');
    },
  );

  test('shows no credentials of the URL', async () => {
    await using server = await startEcho();
    const url = `http://user:in-the-url@${server.authority}/`;
    const result = await runApiCheck({ url });
    expect(JSON.stringify(result)).not.toContain('in-the-url');
    expect(result.api.request.url).toBe(`http://${server.authority}/`);
  });

  test('shows no secret in what it says about a failed assertion', async () => {
    await using server = await startEcho();
    const headers = [{ key: 'Authorization', value: 'Bearer s3cret-value' }];
    const assertions = [{ source: 'TEXT_BODY', comparison: 'EQUALS', target: 'x' }];
    const result = await runApiCheck({ url: `http://${server.authority}/`, headers, assertions });
    expect(result.failure?.cause).toBe('ASSERTION');
    expect(JSON.stringify(result)).not.toContain('s3cret-value');
  });
});
