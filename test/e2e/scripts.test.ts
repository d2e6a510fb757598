import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { response, startRawServer } from '../fixtures/net/servers.ts';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';

/** Section 1.1 of the specification: over the API, by the script host, against a real server. */

const folder = await temporaryFolder();
let appliance: RunningAppliance;

beforeAll(async () => {
  appliance = await startProcess({ dataDir: folder.path });
});
afterAll(async () => {
  await appliance.stop();
  await folder.remove();
});

interface Result {
  hasFailures: boolean;
  hasErrors: boolean;
  apiCheckResult: {
    request: { url: string; data: string };
    response: { status: number; body: string };
    assertions: { error: string | null }[];
    requestError: string | null;
    scriptErrors?: { phase: string; message: string; line: number }[];
  };
}

async function json<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await appliance.call(method, path, body);
  expect(answer.ok, `${method} ${path}`).toBe(true);
  return (await answer.json()) as T;
}

/** Creates a check with scripts and waits for the result of its first run. */
async function firstRun(scripts: object, assertions: object[] = []) {
  await using server = await startRawServer(() =>
    response('{"ID":"A-1","token":"t"}', { 'content-type': 'application/json' }),
  );
  const { id } = await json<{ id: string }>('POST', '/v1/checks/api', {
    name: 'scripts',
    frequency: 1_440,
    request: {
      method: 'POST',
      url: `http://${server.authority}/base`,
      bodyType: 'RAW',
      body: 'old',
      headers: [{ key: 'x-kept', value: 'kept' }],
      queryParameters: [{ key: 'q', value: '1' }],
      assertions,
    },
    retryStrategy: null,
    ...scripts,
  });
  const results = () => json<Result[]>('GET', `/v1/check-results/${id}`);
  await expect.poll(results, { timeout: 90_000 }).toHaveLength(1);
  const [result] = await results();
  if (!result) throw new Error('The run left no result');
  return { ...result, api: result.apiCheckResult, requests: server.requests };
}

const STATUS_200 = { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' };

describe('a setup script', () => {
  test('changes every member of the request that is sent', async () => {
    const { requests, hasFailures } = await firstRun({
      localSetupScript: `request.method = 'PUT'; request.url = request.url.replace('/base', '/base/7');
        request.headers['x-id'] = 'made'; request.queryParameters.r = '2';
        request.body = { was: request.body }`,
    });
    expect(hasFailures).toBe(false);
    expect(requests).toMatchObject([
      {
        line: 'PUT /base/7?q=1&r=2 HTTP/1.1',
        headers: { 'x-id': 'made', 'x-kept': 'kept' },
        body: '{"was":"old"}',
      },
    ]);
  });

  test('that fails aborts the check: no request, no assertions, and the line of the error', async () => {
    const { requests, hasFailures, hasErrors, api } = await firstRun(
      { localSetupScript: `const a = 1;\nawait null;\nthrow new Error('no token')` },
      [STATUS_200],
    );
    expect([hasFailures, hasErrors, requests, api.assertions]).toEqual([true, false, [], []]);
    expect(api.requestError).toBe('Setup script failed: no token (line 3)');
  });
});

describe('a teardown script', () => {
  test('changes the response that assertions and the stored result see', async () => {
    const { hasFailures, api } = await firstRun(
      {
        localTearDownScript: `response.body = response.body.toLowerCase().replace('"t"', '"gone"');
          response.statusCode = 202`,
      },
      [
        { source: 'JSON_BODY', property: '$.id', comparison: 'EQUALS', target: 'a-1' },
        { source: 'STATUS_CODE', comparison: 'EQUALS', target: '202' },
      ],
    );
    expect(hasFailures).toBe(false);
    expect(api.response).toMatchObject({ status: 202, body: '{"id":"a-1","token":"gone"}' });
  });

  test.each([
    ['that throws', `throw new Error('late')`, 'late'],
    ['that leaves no status', `response.statusCode = 1e300`, 'TypeError: response.statusCode must'],
  ])('%s is recorded, and the assertions decide', async (_what, code, message) => {
    const { hasFailures, hasErrors, requests, api } = await firstRun(
      { localTearDownScript: `response.body = 'scrubbed';\n${code}` },
      [STATUS_200],
    );
    expect([hasFailures, hasErrors, requests.length]).toEqual([false, false, 1]);
    expect(api.assertions).toMatchObject([{ error: null }]);
    expect(api.response.body).toBe('scrubbed');
    expect(api.scriptErrors).toMatchObject([
      { phase: 'teardown', message: expect.stringContaining(message) },
    ]);
  });
});
