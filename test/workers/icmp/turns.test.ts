import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createIcmpRunner } from '#workers/runners/icmp.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { fakePing, iputilsOutput } from './fake-ping.ts';

test.skipIf(process.platform === 'win32')(
  'ICMP checks wait for a ping program to be free, and the wait is no part of their runs',
  async () => {
    await using ping = await fakePing(iputilsOutput(1, { 1: 10 }));
    const run = createIcmpRunner({ platform: 'linux', pingPath: ping.path, maxPings: 1 });
    const request = () => ({
      runId: randomUUID(),
      check: makeCheck('ICMP'),
      location: 'local',
      timeoutMs: 10_000,
      deniedRanges: [],
    });
    const results = await Promise.all([run(request()), run(request()), run(request())]);
    const [one, two, three] = results;
    expect(results.map(({ failure }) => failure)).toEqual([null, null, null]);
    expect(two?.startedAt).toBeGreaterThanOrEqual(one?.stoppedAt ?? Number.NaN);
    expect(three?.startedAt).toBeGreaterThanOrEqual(two?.stoppedAt ?? Number.NaN);
  },
);
