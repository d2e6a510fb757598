import { describe, expect, test } from 'vitest';
import { fakeScripts, setup } from '../../fixtures/net/fake-scripts.ts';
import { runApiCheck } from '../../fixtures/net/runs.ts';
import { response, startRawServer } from '../../fixtures/net/servers.ts';

describe('templates of an API check', () => {
  test('are filled in everywhere', async () => {
    await using server = await startRawServer(({ headers }) => response(headers['x-t'] ?? ''));
    const url = `http://${server.authority}/{{PATH}}`;
    const result = await runApiCheck(
      {
        method: 'POST',
        url,
        headers: [
          { key: 'X-T', value: 'Bearer {{TOKEN}}' },
          { key: 'X-Url', value: '{{REQUEST_URL}}' },
        ],
        queryParameters: [{ key: 'q', value: '{{QUERY}}' }],
        bodyType: 'JSON',
        body: '{"id":{"n":{{N}}}}',
        basicAuth: { username: '{{USER}}', password: 'p{{N}}' },
        assertions: [{ source: 'TEXT_BODY', comparison: 'EQUALS', target: 'Bearer {{TOKEN}}' }],
      },
      { scope: { variables: { TOKEN: 't', PATH: 'p', QUERY: 'a&b', N: '7', USER: 'me' } } },
    );
    const [sent] = server.requests;
    expect(sent?.line).toBe('POST /p?q=a%26b HTTP/1.1');
    expect(sent?.headers).toMatchObject({
      'x-t': 'Bearer t',
      'x-url': `http://${server.authority}/p`,
      authorization: `Basic ${Buffer.from('me:p7').toString('base64')}`,
    });
    expect(sent?.body).toBe('{"id":{"n":7}}');
    expect(result.failure).toBeNull();
    expect(result.api.assertions[0]).toMatchObject({ target: 'Bearer t' });
    expect(result.api.request.params).toEqual({ q: 'a&b' });
  });

  test('have their helpers without any scope', async () => {
    await using server = await startRawServer(() => response());
    await runApiCheck({ url: `http://${server.authority}/{{$UUID}}` });
    expect(server.requests[0]?.line).toMatch(/^GET \/[\da-f-]{36} /);
  });

  test('that name nothing known stay as they are, with a warning', async () => {
    await using server = await startRawServer(() => response());
    const headers = [{ key: 'X-A', value: '{{NOT_KNOWN}}' }];
    const result = await runApiCheck({ url: `http://${server.authority}/`, headers });
    expect(server.requests[0]?.headers['x-a']).toBe('{{NOT_KNOWN}}');
    expect(result.api.jobLog.request).toContainEqual(
      expect.objectContaining({
        level: 'WARN',
        msg: '{{NOT_KNOWN}} in the header X-A is not known, left as written',
      }),
    );
  });

  test.each([
    ['a line break for a header', { headers: [{ key: 'x', value: '{{V}}' }] }, 'a\r\nX-Evil: 1'],
    ['a line break for the URL', { path: '/{{V}}' }, '/ HTTP/1.1\r\nX-Evil: 1'],
    ['another template for the URL', { path: '/{{V}}' }, '{{W}}'],
    ['a body beyond 1 MB', { bodyType: 'RAW', body: '{{V}}'.repeat(20) }, 'x'.repeat(64_000)],
  ])('cannot bring in %s', async (_what, members, V) => {
    await using server = await startRawServer(() => response());
    const { path, ...request } = { path: '/', ...members };
    const url = `http://${server.authority}${path}`;
    const result = await runApiCheck(
      { method: 'POST', url, ...request },
      { scope: { variables: { V } } },
    );
    expect(result.failure?.cause).toBe('INVALID_TARGET');
    expect(server.requests).toEqual([]);
  });
});

describe('secrets of a scope', () => {
  const secret = 'lo?>>?~ck"ed &/välue';
  const ascii = JSON.stringify(secret).replaceAll('ä', '\\u00e4');

  test.each([
    ['as it is', secret],
    ['as JSON', JSON.stringify(secret)],
    ['as ASCII JSON', ascii],
    ['URL-encoded', encodeURIComponent(secret)],
    [
      'URL-encoded in lower case',
      encodeURIComponent(secret).replace(/%../g, (c) => c.toLowerCase()),
    ],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
    ['in base64 after another byte', Buffer.from(`a${secret}bcd`).toString('base64')],
    ['in base64 after a user', Buffer.from(`ab${secret}bc`).toString('base64')],
  ])('are kept nowhere, coming back %s', async (_form, form) => {
    await using server = await startRawServer(() =>
      response(form, { 'x-back': Buffer.from(form).toString('latin1') }),
    );
    const scripts = fakeScripts({
      it: ({ log }) => {
        log.push({ time: 1, level: 'INFO', msg: `said ${form}` });
        return null;
      },
    });
    const result = await runApiCheck(
      {
        url: `http://${server.authority}/{{S}}`,
        method: 'POST',
        queryParameters: [{ key: 'q', value: '{{S}}' }],
        bodyType: 'RAW',
        body: 'b {{S}}',
        assertions: [{ source: 'TEXT_BODY', comparison: 'EQUALS', target: 'x {{S}}' }],
      },
      { scripts, scope: { variables: { S: secret }, secrets: [secret], setup: setup('it') } },
    );
    expect(server.requests[0]?.line).toContain(encodeURIComponent(secret));
    expect(result.failure?.cause).toBe('ASSERTION');
    const kept = JSON.stringify(result);
    const middle = form.slice(6, -6);
    for (const text of [secret, middle, encodeURIComponent(secret)]) {
      expect(kept).not.toContain(JSON.stringify(text).slice(1, -1));
      expect(result.detail).not.toContain(JSON.stringify(text).slice(1, -1));
    }
    expect(result.api.request.params).toEqual({ q: '***' });
    expect(result.api.jobLog.setup.map(({ msg }) => msg).join()).toContain('said');
  });

  test('are not shown in part where a text is cut', async () => {
    const long = 'SECRET-0123456789-abcdefghij';
    const bodies = [64 * 1024 - 10, 190, 1_015].map((before) => 'x'.repeat(before) + long);
    for (const body of bodies) {
      await using server = await startRawServer(() =>
        response(body, { 'content-type': 'text/plain' }),
      );
      const assertions = [{ source: 'TEXT_BODY', comparison: 'EQUALS', target: 'x' }];
      const result = await runApiCheck(
        { url: `http://${server.authority}/`, assertions },
        { scope: { secrets: [long] } },
      );
      expect(JSON.stringify(result)).not.toContain('SECR');
    }
  });

  test('include what setup makes of a secret variable, and what it names one', async () => {
    await using server = await startRawServer(() => response('fresh-token and derived-key'));
    const scripts = fakeScripts({
      it: ({ env }) => {
        env.KEY = 'derived-key';
        env.CHECKLY_SECRET_T = 'fresh-token';
        return null;
      },
    });
    const result = await runApiCheck(
      { url: `http://${server.authority}/` },
      { scripts, scope: { variables: { KEY: 'key-1' }, secrets: ['key-1'], setup: setup('it') } },
    );
    expect(result.api.response.body).toBe('*** and ***');
  });

  test('are hidden where they stand alone, if they are short', async () => {
    await using server = await startRawServer(({ line }) =>
      response(`{"path":"${line.split(' ')[1]}","cvv":123,"sum":1234,"x":"z"}`),
    );
    const result = await runApiCheck(
      {
        url: `http://${server.authority}/pay`,
        method: 'POST',
        headers: [{ key: 'x-cvv', value: '{{CVV}}' }],
        queryParameters: [{ key: 'cvv', value: '{{CVV}}' }],
        bodyType: 'RAW',
        body: 'cvv={{CVV}}',
      },
      { scope: { variables: { CVV: '123', Z: 'z' }, secrets: ['123', 'z'] } },
    );
    expect(server.requests[0]?.line).toContain('cvv=123');
    expect(result.api.request).toMatchObject({
      url: `http://${server.authority}/pay?cvv=***`,
      data: 'cvv=***',
      params: { cvv: '***' },
      headers: { 'x-cvv': '***' },
    });
    expect(result.api.response.body).toBe('{"path":"/pay?cvv=***","cvv":***,"sum":1234,"x":"z"}');
  });

  test('are hidden in names of members too', async () => {
    await using server = await startRawServer(() =>
      response('{"s3cret-name":1}', { 'content-type': 'application/json', 's3cret-name': 'x' }),
    );
    const assertions = [{ source: 'JSON_BODY', comparison: 'EQUALS', target: '{}' }];
    const result = await runApiCheck(
      { url: `http://${server.authority}/`, assertions },
      { scope: { secrets: ['s3cret-name'] } },
    );
    expect(JSON.stringify(result)).not.toContain('s3cret');
  });
});
