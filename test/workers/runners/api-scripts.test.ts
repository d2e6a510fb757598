import { describe, expect, test } from 'vitest';
import {
  type FakeScript,
  fakeScripts,
  setup,
  teardown,
  thrown,
} from '../../fixtures/net/fake-scripts.ts';
import { runApiCheck } from '../../fixtures/net/runs.ts';
import { response, startRawServer } from '../../fixtures/net/servers.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Runs a check with one setup script against a server that answers `{}`. */
async function withSetup(script: FakeScript, request: object = {}, path = '/a') {
  await using server = await startRawServer(() => response('{}', JSON_TYPE));
  const scripts = fakeScripts({ it: script });
  const url = `http://${server.authority}${path}`;
  const result = await runApiCheck(
    { url, ...request },
    { scripts, scope: { setup: setup('it') }, timeoutMs: 30_000 },
  );
  return { result, sent: server.requests[0], requests: server.requests, scripts };
}

describe('a setup script', () => {
  test('sees the request as the check has it', async () => {
    const { scripts } = await withSetup(() => null, {
      method: 'POST',
      bodyType: 'RAW',
      body: 'b',
      headers: [{ key: 'X-A', value: '1' }],
      queryParameters: [{ key: 'q', value: 'a b' }],
    });
    expect(scripts.tasks[0]).toMatchObject({
      phase: 'setup',
      request: {
        method: 'POST',
        url: expect.stringMatching(/\/a\?q=a%20b$/),
        body: 'b',
        headers: { 'X-A': '1' },
        queryParameters: { q: 'a b' },
      },
      response: null,
      runtimeId: '2025.04',
      timeoutMs: 10_000,
    });
  });

  test('sets, changes and removes headers, whatever their case', async () => {
    const headers = ['X-Kept', 'X-Gone', 'X-Changed'].map((key) => ({ key, value: 'old' }));
    const { sent, result } = await withSetup(
      ({ request }) => {
        request.headers.Authorization = 'Bearer made-by-script';
        request.headers['x-changed'] = 'new';
        delete request.headers['X-Gone'];
        return null;
      },
      { headers },
    );
    expect(sent?.headers).toMatchObject({
      authorization: 'Bearer made-by-script',
      'x-kept': 'old',
      'x-changed': 'new',
    });
    expect(sent?.headers).not.toHaveProperty('x-gone');
    expect(JSON.stringify(result)).not.toContain('made-by-script');
  });

  test.each([['JSON'], ['RAW'], ['NONE']])('replaces the body of type %s', async (bodyType) => {
    const { sent, result } = await withSetup(
      ({ request }) => {
        request.body = '{"id":1}';
        return null;
      },
      { method: 'POST', bodyType, body: 'old' },
    );
    expect(sent?.body).toBe('{"id":1}');
    expect(result.api.request.data).toBe('{"id":1}');
  });

  test('changes the method', async () => {
    const { sent } = await withSetup(({ request }) => {
      request.method = 'delete';
      return null;
    });
    expect(sent?.line).toBe('DELETE /a HTTP/1.1');
  });

  test.each([['GET / HTTP/1.1\r\nX-Evil: 1'], ['CONNECT'], ['']])(
    'cannot split the request with the method %j',
    async (method) => {
      const { requests, result } = await withSetup(({ request }) => {
        request.method = method;
        return null;
      });
      expect(result.failure?.cause).toBe('INVALID_TARGET');
      expect(requests).toEqual([]);
    },
  );

  const one = [{ key: 'q', value: '{{V}} &' }];
  const both = [...one, { key: 'r', value: '2' }];
  test.each<
    [
      string,
      object[],
      (request: { url: string; queryParameters: Record<string, string> }) => void,
      string,
    ]
  >([
    [
      'a path appended',
      [],
      (request) => {
        request.url += '/7';
      },
      '/a/7',
    ],
    [
      'a path changed',
      one,
      (request) => {
        request.url = request.url.replace('/a', '/b');
      },
      '/b?q=v%3D%20%26',
    ],
    [
      'a parameter put into the URL',
      one,
      (request) => {
        request.url += '&n=1';
      },
      '/a?n=1&q=v%3D%20%26',
    ],
    [
      'the query taken off the URL',
      both,
      (request) => {
        request.url = request.url.replace(/\?.*/, '');
      },
      '/a',
    ],
    [
      'a parameter changed',
      both,
      (request) => {
        request.queryParameters.r = '3';
      },
      '/a?q=v%3D%20%26&r=3',
    ],
    [
      'a parameter added',
      [],
      (request) => {
        request.queryParameters.n = 'ü';
      },
      '/a?n=%C3%BC',
    ],
    [
      'a parameter removed',
      both,
      (request) => {
        delete request.queryParameters.q;
      },
      '/a?r=2',
    ],
  ])('sends the URL with %s', async (_what, queryParameters, change, expected) => {
    await using server = await startRawServer(() => response());
    const scripts = fakeScripts({ it: ({ request }) => void change(request) });
    const url = `http://${server.authority}/a`;
    const scope = { setup: setup('it'), variables: { V: 'v=' } };
    await runApiCheck({ url, queryParameters }, { scripts, scope });
    expect(server.requests[0]?.line).toBe(`GET ${expected} HTTP/1.1`);
  });

  test('feeds templates and the scripts after it through its environment', async () => {
    await using server = await startRawServer(() => response());
    const scripts = fakeScripts({
      one: ({ env }) => {
        env.TOKEN = 'from-one';
        delete env.GONE;
        return null;
      },
      two: ({ env }) => {
        env.TOKEN += '-two';
        return null;
      },
    });
    const headers = [{ key: 'x-t', value: '{{TOKEN}} {{GONE}}' }];
    const url = `http://${server.authority}/`;
    const scope = {
      setup: setup('one', 'two'),
      teardown: teardown('three'),
      variables: { GONE: 'x', REGION: 'mine' },
      builtIns: { REGION: 'theirs' },
    };
    await runApiCheck({ url, headers }, { scripts, scope });
    expect(server.requests[0]?.headers['x-t']).toBe('from-one-two {{GONE}}');
    expect(scripts.tasks[0]?.env).toEqual({ REGION: 'mine', GONE: 'x', REQUEST_URL: url });
    expect(scripts.tasks[2]?.env).toMatchObject({ TOKEN: 'from-one-two' });
  });

  test('that fails ends the run before anything is asked or asserted', async () => {
    const assertions = [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' }];
    const { result, requests } = await withSetup(
      ({ log }) => {
        log.push({ time: 5, level: 'WARN', msg: 'said' });
        return thrown('no token', 3);
      },
      { assertions },
    );
    const message = 'Setup script failed: no token (line 3)';
    expect(requests).toEqual([]);
    expect(result).toMatchObject({
      hasFailures: true,
      hasErrors: false,
      statusCode: null,
      responseTime: 0,
      failure: { cause: 'SCRIPT', message },
    });
    expect(result.api).toMatchObject({
      assertions: [],
      requestError: message,
      scriptErrors: [{ phase: 'setup', name: 'setup script', message: 'no token', line: 3 }],
    });
    expect(result.api.jobLog.setup.map(({ level, msg }) => [level, msg])).toEqual([
      ['DEBUG', 'Starting setup script with runtime 2025.04'],
      ['WARN', 'said'],
      ['ERROR', 'no token (line 3)'],
      ['DEBUG', 'Finished setup script after 1.0 ms'],
    ]);
  });

  test('is the last to run where it fails', async () => {
    const scripts = fakeScripts({ bad: () => thrown('x') });
    const scope = { setup: setup('bad', 'next'), teardown: teardown('after') };
    await runApiCheck({ url: 'http://127.0.0.1:1/' }, { scripts, scope });
    expect(scripts.tasks).toHaveLength(1);
  });

  test('that leaves no time for the request is to blame, not the target', async () => {
    await using server = await startRawServer(() => response());
    const scripts = fakeScripts({
      slow: () => {
        const until = performance.now() + 20;
        while (performance.now() < until);
        return null;
      },
    });
    const options = { scripts, scope: { setup: setup('slow') }, timeoutMs: 10 };
    const result = await runApiCheck({ url: `http://${server.authority}/` }, options);
    expect(result.failure?.cause).toBe('SCRIPT');
    expect(server.requests).toEqual([]);
  });

  test('takes its time from the run, not from the response time', async () => {
    await using server = await startRawServer(() => response());
    const busy = () => {
      const until = performance.now() + 300;
      while (performance.now() < until);
      return null;
    };
    const scripts = fakeScripts({ busy });
    const options = { scripts, scope: { setup: setup('busy'), teardown: teardown('busy') } };
    const result = await runApiCheck({ url: `http://${server.authority}/` }, options);
    // A few milliseconds for clocks that are read to the millisecond.
    expect(result.responseTime).toBeLessThan(result.stoppedAt - result.startedAt - 595);
    expect(scripts.tasks[1]?.timeoutMs).toBeLessThan(10_000);
  });

  test('gets no body of more than 256 KB', async () => {
    const body = 'x'.repeat(256 * 1024 + 1);
    const { result, scripts } = await withSetup(() => null, {
      method: 'PUT',
      bodyType: 'RAW',
      body,
    });
    expect(result.failure?.cause).toBe('SCRIPT');
    expect(result.api.scriptErrors?.[0]?.kind).toBe('too-large');
    expect(scripts.tasks).toEqual([]);
  });
});

test.each([
  ['setup', { setup: setup('it') }],
  ['teardown', { teardown: teardown('it') }],
])('snippets of more than 1 MB are not handed to a %s script', async (phase, scope) => {
  await using server = await startRawServer(() => response());
  const scripts = fakeScripts({});
  const snippets = { a: 'x'.repeat(1024 * 1024), b: 'x' };
  const url = `http://${server.authority}/`;
  const result = await runApiCheck({ url }, { scripts, scope: { ...scope, snippets } });
  const message = 'the snippets that the scripts require are larger than 1 MB together';
  expect(result.api.scriptErrors).toMatchObject([{ phase, kind: 'too-large', message }]);
  expect(scripts.tasks).toEqual([]);
});

describe('a teardown script', () => {
  const assertions = [
    { source: 'JSON_BODY', property: '$.id', comparison: 'EQUALS', target: 'normal' },
    { source: 'STATUS_CODE', comparison: 'EQUALS', target: '201' },
    { source: 'HEADERS', property: 'x-made', comparison: 'EQUALS', target: 'yes' },
  ];

  test('changes the response that is asserted on and kept', async () => {
    await using server = await startRawServer(() =>
      response('{"id":"ümlaut"}', { 'content-type': 'application/json; charset=latin1' }, '500 X'),
    );
    const scripts = fakeScripts({
      it: ({ response }) => {
        if (!response) return thrown('no response');
        response.body = '{"id":"normal","ü":1}';
        response.statusCode = 201;
        response.headers['X-Made'] = 'yes';
        return null;
      },
    });
    const url = `http://${server.authority}/x`;
    const options = { scripts, scope: { teardown: teardown('it') } };
    const result = await runApiCheck({ url, assertions }, options);
    expect(result).toMatchObject({ failure: null, hasFailures: false, statusCode: 201 });
    expect(result.api.response).toMatchObject({ status: 201, body: '{"id":"normal","ü":1}' });
    expect(result.api.response.headers['x-made']).toBe('yes');
    expect(scripts.tasks[0]).toMatchObject({
      phase: 'teardown',
      request: { method: 'GET', url, headers: { host: server.authority } },
      response: {
        statusCode: 500,
        statusText: 'X',
        headers: { 'content-length': expect.any(String) },
      },
    });
  });

  test('that fails is recorded, those after it run, and the assertions decide', async () => {
    await using server = await startRawServer(() =>
      response('{"id":"normal"}', JSON_TYPE, '201 X'),
    );
    const scripts = fakeScripts({ bad: () => thrown('broken', 2) });
    const options = { scripts, scope: { teardown: teardown('bad', 'next') } };
    const url = `http://${server.authority}/`;
    const good = await runApiCheck({ url, assertions: assertions.slice(0, 2) }, options);
    expect(good).toMatchObject({ failure: null, hasFailures: false, hasErrors: false });
    expect(good.api.scriptErrors).toMatchObject([
      { phase: 'teardown', message: 'broken', line: 2 },
    ]);
    expect(good.api.jobLog.teardown.map(({ msg }) => msg)).toContain('broken (line 2)');
    expect(scripts.tasks.map(({ source }) => source.code)).toEqual(['bad', 'next']);
    const bad = await runApiCheck({ url, assertions }, options);
    expect(bad.failure?.cause).toBe('ASSERTION');
  });

  test('of which nothing is known leaves the verdict, and of the response nothing to see', async () => {
    await using server = await startRawServer(() =>
      response('{"id":"S3CRET"}', { ...JSON_TYPE, 'x-made': 'S3CRET' }, '201 X'),
    );
    const scripts = fakeScripts({
      lost: (state) => {
        state.response = null;
        return { ...thrown('late', null), kind: 'timeout' };
      },
    });
    const options = { scripts, scope: { teardown: teardown('lost', 'next') } };
    const url = `http://${server.authority}/`;
    const good = { source: 'TEXT_BODY', comparison: 'CONTAINS', target: 'S3C' };
    const result = await runApiCheck({ url, assertions: [...assertions, good] }, options);
    expect(result).toMatchObject({ statusCode: 201, failure: { cause: 'ASSERTION' } });
    expect(JSON.stringify(result)).not.toContain('S3CRET');
    expect(result.api.response).toMatchObject({ body: '', truncated: true, headers: {} });
    expect(result.api.assertions).toMatchObject([
      { error: 'The value of the body is not as asserted', actual: '***' },
      { error: null, actual: 201 },
      { error: 'The value of the header x-made is not as asserted', actual: '***' },
      { error: null, actual: '***' },
    ]);
    expect(scripts.tasks[1]?.response?.body).toBe('{"id":"S3CRET"}');
    expect(result.api.jobLog.teardown.at(-1)?.msg).toContain('does not show the response');
  });

  test('that cannot be given the response keeps it from the result', async () => {
    const body = `S3CRET ${'x'.repeat(256 * 1024)}`;
    await using server = await startRawServer(() => response(body));
    const options = { scripts: fakeScripts({}), scope: { teardown: teardown('it') } };
    const result = await runApiCheck({ url: `http://${server.authority}/` }, options);
    expect(result.api.scriptErrors).toMatchObject([{ kind: 'too-large' }]);
    expect(result.api.response).toMatchObject({ status: 200, body: '', truncated: true });
  });

  test('does not run without a response', async () => {
    const scripts = fakeScripts({});
    const scope = { teardown: teardown('it') };
    const result = await runApiCheck({ url: 'http://127.0.0.1:1/' }, { scripts, scope });
    expect(result.failure?.cause).toBe('CONNECTION_REFUSED');
    expect(scripts.tasks).toEqual([]);
    expect(result.api.jobLog.teardown).toMatchObject([
      { level: 'WARN', msg: 'The teardown scripts did not run, because there was no response' },
    ]);
  });
});

describe('trouble of the script host', () => {
  const host = { ...thrown('the host died', null), kind: 'host' as const };

  test.each([
    ['setup', { setup: setup('it') }],
    ['teardown', { teardown: teardown('it') }],
  ])('in %s is ours, never the target’s', async (_phase, scope) => {
    await using server = await startRawServer(() => response('', {}, '500 X'));
    const scripts = fakeScripts({ it: () => host });
    const url = `http://${server.authority}/`;
    const result = await runApiCheck({ url }, { scripts, scope });
    expect(result).toMatchObject({
      hasErrors: true,
      hasFailures: false,
      failure: { cause: 'INTERNAL', message: expect.stringContaining('the host died') },
    });
  });
});
