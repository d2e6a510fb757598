import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { runIcmpCheck } from './run-icmp.ts';

/** Whether this machine has a ping that may send to an address. */
function canPing(address: string): boolean {
  const family = address.includes(':') ? '-6' : '-4';
  return spawnSync('ping', [family, '-n', '-c', '1', address], { timeout: 5_000 }).status === 0;
}

const LOOPBACK = [
  ['127.0.0.1', 'IPv4', 0],
  ['::1', 'IPv6', 129],
] as const;

describe.each(LOOPBACK)('an ICMP check of %s', (address, ipFamily, replyType) => {
  // Skipped where no ping is installed (apt-get install iputils-ping) or loopback lacks the family.
  describe.skipIf(!canPing(address))('with the ping of this machine', () => {
    test('gets every reply, with its time and TTL', async () => {
      const run = await runIcmpCheck({ hostname: address, ipFamily, pingCount: 3 });
      expect(run).toMatchObject({ hasFailures: false, hasErrors: false, failure: null });
      expect(run.icmp.response).toMatchObject({
        ...{ hostname: address, resolvedIp: address, ipFamily, pingCount: 3 },
        ...{ packetsSent: 3, packetsReceived: 3, packetSize: 64, packetLoss: 0 },
      });
      for (const result of run.icmp.response?.pingResults ?? []) {
        expect(result).toMatchObject({ type: replyType, code: 0, success: true, ttl: 64 });
        expect(result.rtt).toBeGreaterThan(0);
      }
      expect(run.responseTime).toBe(run.icmp.response?.latency.avg);
    });

    test('sends a request every 500 ms', async () => {
      const run = await runIcmpCheck({ hostname: address, ipFamily, pingCount: 3 });
      expect(run.stoppedAt - run.startedAt).toBeGreaterThanOrEqual(990);
    });

    test('resolves localhost first', async () => {
      const run = await runIcmpCheck({ hostname: 'localhost', ipFamily, pingCount: 1 });
      expect(run.icmp.response).toMatchObject({ hostname: 'localhost', resolvedIp: address });
    });
  });
});

describe.skipIf(!canPing('127.0.0.1'))('an ICMP check with the ping of this machine', () => {
  test('sends as many requests as fit into its time, and is not stopped', async () => {
    const options = { timeoutMs: 3_290 };
    const run = await runIcmpCheck({ hostname: '127.0.0.1', pingCount: 50 }, options);
    expect(run).toMatchObject({ hasFailures: false, failure: null });
    expect(run.icmp.response).toMatchObject({ pingCount: 50, packetsSent: 2, packetLoss: 0 });
    expect(run.icmp.jobLog.request.filter(({ level }) => level === 'WARN')).toEqual([
      expect.objectContaining({ msg: 'Only 2 of 50 echo requests fit into the time' }),
    ]);
  });
});
