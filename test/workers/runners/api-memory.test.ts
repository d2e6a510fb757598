import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Assertion } from '#shared/checks/blocks.ts';
import { createNetwork } from '#workers/net/network.ts';
import { createApiRunner } from '#workers/runners/api.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { NO_SCRIPTS, runApiCheck } from '../../fixtures/net/runs.ts';
import { response, startRawServer } from '../../fixtures/net/servers.ts';

const KILOBYTES = 1_024;
const ofText = { source: 'TEXT_BODY', comparison: 'NOT_EMPTY' };

describe('the memory of API checks for bodies', () => {
  test('does not hold what no assertion asks for and no result keeps', async () => {
    await using server = await startRawServer(() => response('x'.repeat(2_000 * KILOBYTES)));
    const result = await runApiCheck(
      { url: `http://${server.authority}/` },
      { network: { bodyBytes: 300 * KILOBYTES } },
    );
    expect(result).toMatchObject({ failure: null, api: { response: { truncated: true } } });
    expect(result.api.response.body).toHaveLength(64 * KILOBYTES);
    expect(result.api.jobLog.request.at(-1)?.msg).toBe('200 OK, 2048000 bytes');
  });

  test('holds the whole where an assertion looks at it', async () => {
    const body = `${'x'.repeat(2_000 * KILOBYTES)}the end`;
    await using server = await startRawServer(() => response(body));
    const assertions = [{ source: 'TEXT_BODY', comparison: 'CONTAINS', target: 'the end' }];
    const result = await runApiCheck({ url: `http://${server.authority}/`, assertions });
    expect(result.failure).toBeNull();
  });

  test('being used up is our own trouble, not the target’s', async () => {
    await using server = await startRawServer(() => response('x'.repeat(3_000)));
    const request = { url: `http://${server.authority}/`, assertions: [ofText] };
    const result = await runApiCheck(request, { network: { bodyBytes: 2_000 } });
    expect(result).toMatchObject({
      hasErrors: true,
      hasFailures: false,
      failure: { cause: 'INTERNAL' },
    });
  });

  test('is free again after every response and every run', async () => {
    await using server = await startRawServer(({ line }) =>
      line.includes('/start')
        ? response('x'.repeat(1_500), { location: '/end' }, '302 Found')
        : response('x'.repeat(1_500)),
    );
    const run = createApiRunner(createNetwork({ bodyBytes: 2_000 }), NO_SCRIPTS);
    const check = makeCheck('API');
    const url = `http://${server.authority}/start`;
    const request = { ...check.request, url, assertions: [ofText as Assertion] };
    for (let round = 0; round < 3; round++) {
      const result = await run({
        runId: randomUUID(),
        check: { ...check, request: request as typeof check.request },
        location: 'local',
        timeoutMs: 10_000,
        deniedRanges: [],
      });
      expect(result.failure).toBeNull();
    }
  });
});

test('an assertion sees the response time that the result shows', async () => {
  await using server = await startRawServer(() => response('x'));
  const assertions = [{ source: 'RESPONSE_TIME', comparison: 'LESS_THAN', target: '10000' }];
  const result = await runApiCheck({ url: `http://${server.authority}/`, assertions });
  expect(result.api.assertions[0]?.actual).toBe(result.responseTime);
});
