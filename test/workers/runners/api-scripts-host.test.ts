import { afterAll, describe, expect, test } from 'vitest';
import { createNetwork } from '#workers/net/network.ts';
import { createScriptHost } from '#workers/sandbox/host.ts';
import { createScriptFetch } from '#workers/sandbox/script-fetch.ts';
import { setup, teardown } from '../../fixtures/net/fake-scripts.ts';
import { runApiCheck } from '../../fixtures/net/runs.ts';
import { response, startRawServer } from '../../fixtures/net/servers.ts';

const scripts = createScriptHost({ fetch: createScriptFetch(createNetwork()) });
afterAll(() => scripts.close());

const JSON_TYPE = { 'content-type': 'application/json' };

describe('scripts of an API check in the script host (specification 1.1)', () => {
  test.each([
    ['set a header', `request.headers['X-Id'] = 'made';`, 'x-id: made'],
    ['replace the body', `request.body = JSON.stringify({ a: 1 });`, '{"a":1}'],
    ['append a path segment', `request.url += '/42';`, 'POST /base/42 HTTP/1.1'],
    [
      'change query parameters',
      `request.queryParameters.k = 'v w';`,
      'POST /base?k=v%20w HTTP/1.1',
    ],
    ['set a variable', `process.env.TOKEN = await Promise.resolve('t0k');`, 'X-Token: t0k'],
  ])('%s', async (_what, code, expected) => {
    await using server = await startRawServer(() => response('{}', JSON_TYPE));
    const result = await runApiCheck(
      {
        method: 'POST',
        url: `http://${server.authority}/base`,
        bodyType: 'RAW',
        body: 'old',
        headers: [{ key: 'X-Token', value: '{{TOKEN}}' }],
      },
      { scripts, scope: { setup: setup(code) } },
    );
    expect(result.failure).toBeNull();
    const [sent] = server.requests;
    expect([sent?.line, ...(sent?.lines ?? []), sent?.body].join('\n').toLowerCase()).toContain(
      expected.toLowerCase(),
    );
  });

  test('normalise the body before assertions', async () => {
    await using server = await startRawServer(() => response('{"ID":"A-1"}', JSON_TYPE));
    const code = 'response.body = response.body.toLowerCase();\nconsole.info("done");';
    const result = await runApiCheck(
      {
        url: `http://${server.authority}/`,
        assertions: [
          { source: 'JSON_BODY', property: '$.id', comparison: 'EQUALS', target: 'a-1' },
        ],
      },
      { scripts, scope: { teardown: teardown(code) } },
    );
    expect(result.failure).toBeNull();
    expect(result.api.response.body).toBe('{"id":"a-1"}');
    expect(result.api.jobLog.teardown).toContainEqual(
      expect.objectContaining({ level: 'INFO', msg: 'done' }),
    );
  });

  test.each([
    [
      'throws',
      `const a = 1;\nthrow new Error('no token');`,
      /^Setup script failed: .*no token \(line 2\)$/,
    ],
    ['is no JavaScript', 'const a = 1;\nconst = 2;', /^Setup script failed: .* \(line 2\)$/],
  ])('end the run where setup %s', async (_what, code, message) => {
    await using server = await startRawServer(() => response());
    const url = `http://${server.authority}/`;
    const result = await runApiCheck({ url }, { scripts, scope: { setup: setup(code) } });
    expect(server.requests).toEqual([]);
    expect(result).toMatchObject({ hasFailures: true, failure: { cause: 'SCRIPT' } });
    expect(result.api.requestError).toMatch(message);
  });

  test('leave the verdict to the assertions where teardown throws', async () => {
    await using server = await startRawServer(() => response('', {}, '204 X'));
    const assertions = [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: '204' }];
    const result = await runApiCheck(
      { url: `http://${server.authority}/`, assertions },
      { scripts, scope: { teardown: teardown(`\nthrow new Error('late');`) } },
    );
    expect(result).toMatchObject({ hasFailures: false, hasErrors: false, failure: null });
    expect(result.api.assertions).toHaveLength(1);
    expect(result.api.scriptErrors).toMatchObject([{ phase: 'teardown', line: 2 }]);
  });
});
