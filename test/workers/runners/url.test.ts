import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { StallWatch } from '#workers/net/stalls.ts';
import { runUrlCheck } from '../../fixtures/net/runs.ts';
import { freePort, response, startRawServer } from '../../fixtures/net/servers.ts';

describe('a URL check', () => {
  test('asks with GET and keeps nothing but status and timings', async () => {
    await using server = await startRawServer(() => response('content', { 'x-a': 'b' }));
    const result = await runUrlCheck({ url: `http://${server.authority}/page` });
    expect(server.requests[0]?.line).toBe('GET /page HTTP/1.1');
    expect(result).toMatchObject({ failure: null, hasFailures: false, statusCode: 200 });
    expect(result.api.request).toMatchObject({ method: 'GET', data: '', params: {} });
    expect(result.api.response).toMatchObject({ status: 200, body: '', headers: {} });
    expect(result.api.response.timings.end).toBe(result.responseTime);
  });

  test('hides the secrets in its reach, in what the target says and where it sends', async () => {
    await using server = await startRawServer(({ line }) =>
      line.includes('/a')
        ? response('', { location: '/b?token=s3cret-word' }, '301 X')
        : response('', {}, '500 no s3cret-word'),
    );
    const scope = { secrets: ['s3cret-word'] };
    const result = await runUrlCheck({ url: `http://${server.authority}/a` }, { scope });
    expect(result.api.response).toMatchObject({ status: 500, statusText: 'no ***' });
    expect(JSON.stringify(result)).not.toContain('s3cret');
  });

  test('reads the body to its end, decoding nothing', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const broken = gzipSync('x'.repeat(100_000)).subarray(0, 20);
    await using server = await startRawServer(() => response(broken, headers));
    const result = await runUrlCheck({ url: `http://${server.authority}/` });
    expect(result).toMatchObject({ failure: null, statusCode: 200 });
    expect(result.metrics.download).toBeGreaterThanOrEqual(0);
  });

  test.each([
    [500, [], 'STATUS'],
    [204, [{ source: 'STATUS_CODE', comparison: 'LESS_THAN', target: '300' }], null],
    [200, [{ source: 'STATUS_CODE', comparison: 'GREATER_THAN', target: '299' }], 'ASSERTION'],
  ])('of status %i with %j is %s', async (status, assertions, cause) => {
    await using server = await startRawServer(() => response('', {}, `${status} X`));
    const result = await runUrlCheck({ url: `http://${server.authority}/`, assertions });
    expect(result.failure?.cause ?? null).toBe(cause);
  });

  test('follows redirects or not', async () => {
    await using server = await startRawServer(({ line }) =>
      line.includes('/a') ? response('', { location: '/b' }, '301 X') : response('', {}, '204 X'),
    );
    const url = `http://${server.authority}/a`;
    expect((await runUrlCheck({ url })).statusCode).toBe(204);
    expect((await runUrlCheck({ url, followRedirects: false })).statusCode).toBe(301);
  });

  test('is degraded or over its limit by its response time', async () => {
    await using server = await startRawServer(() => response());
    const url = `http://${server.authority}/`;
    const degraded = await runUrlCheck({ url }, { check: { degradedResponseTime: 0 } });
    expect(degraded).toMatchObject({ isDegraded: true, hasFailures: false });
    const over = await runUrlCheck({ url }, { check: { maxResponseTime: 0 } });
    expect(over).toMatchObject({ overMaxResponseTime: true, hasFailures: true });
    expect(over.failure?.cause).toBe('MAX_RESPONSE_TIME');
  });

  test('fails on a refused connection', async () => {
    const result = await runUrlCheck({ url: `http://127.0.0.1:${await freePort()}/` });
    expect(result.failure?.cause).toBe('CONNECTION_REFUSED');
    expect(result.api.response).toMatchObject({ status: 0, statusText: '' });
  });

  test('is not blamed for what this thread stood still while it was asked', async () => {
    await using server = await startRawServer(() => {
      // The target answers at once; whatever shares its thread with us keeps both from it.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
      return response();
    });
    const options = { check: { maxResponseTime: 900 }, network: { stalls: new StallWatch() } };
    const result = await runUrlCheck({ url: `http://${server.authority}/` }, options);
    expect(result).toMatchObject({
      ...{ hasFailures: false, hasErrors: true, overMaxResponseTime: false },
      failure: { cause: 'INTERNAL', message: expect.stringContaining('too busy to measure') },
    });
  });
});
