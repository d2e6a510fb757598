import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createNetwork } from '#workers/net/network.ts';
import { startNameServer } from '../../fixtures/dns/server.ts';
import { fakePing, iputilsOutput } from './fake-ping.ts';
import { runIcmpCheck } from './run-icmp.ts';

const linux = { platform: 'linux' } as const;
const inPosix = process.platform !== 'win32';

describe.skipIf(!inPosix)('an ICMP check (a shell script stands for ping)', () => {
  test('reports every echo and their statistics', async () => {
    await using ping = await fakePing(iputilsOutput(4, { 1: 10, 2: 20, 4: 30 }));
    const check = { degradedPacketLossThreshold: 50, maxPacketLossThreshold: 60 };
    const run = await runIcmpCheck({ pingCount: 4 }, { ...linux, pingPath: ping.path, check });
    expect(run).toMatchObject({
      ...{ hasFailures: false, hasErrors: false, isDegraded: false, failure: null },
      responseTime: 20,
    });
    expect(run.metrics).toEqual({
      dns: expect.any(Number),
      ...{ latencyAvg: 20, latencyMin: 10, latencyMax: 30, latencyStdDev: 8.165, packetLoss: 25 },
    });
    expect(run.icmp.response).toEqual({
      ...{ hostname: '192.0.2.9', resolvedIp: '192.0.2.9', ipFamily: 'IPv4', pingCount: 4 },
      ...{ packetsSent: 4, packetsReceived: 3, packetSize: 64, packetLoss: 25 },
      dnsResolutionTime: run.metrics.dns,
      latency: { avg: 20, min: 10, max: 30, stdDev: 8.165 },
      pingResults: [
        { sequence: 1, type: 0, code: 0, success: true, rtt: 10, ttl: 60 },
        { sequence: 2, type: 0, code: 0, success: true, rtt: 20, ttl: 60 },
        { sequence: 3, type: null, code: null, success: false, rtt: null, ttl: null },
        { sequence: 4, type: 0, code: 0, success: true, rtt: 30, ttl: 60 },
      ],
    });
  });

  test.each([
    [10, { degradedPacketLossThreshold: 10, maxPacketLossThreshold: 20 }, false, null],
    [20, { degradedPacketLossThreshold: 10, maxPacketLossThreshold: 20 }, true, null],
    [30, { degradedPacketLossThreshold: 10, maxPacketLossThreshold: 20 }, false, 'PACKET_LOSS'],
    [90, { degradedPacketLossThreshold: null, maxPacketLossThreshold: null }, false, null],
    [
      100,
      { degradedPacketLossThreshold: null, maxPacketLossThreshold: null },
      false,
      'UNREACHABLE',
    ],
    [100, { degradedPacketLossThreshold: 10, maxPacketLossThreshold: 100 }, false, 'UNREACHABLE'],
  ])('with %i %% loss under the thresholds %o', async (loss, check, isDegraded, cause) => {
    const answered = 10 - loss / 10;
    const rtts = Object.fromEntries(Array.from({ length: answered }, (_, i) => [i + 1, 5]));
    await using ping = await fakePing(iputilsOutput(10, rtts));
    const run = await runIcmpCheck({}, { ...linux, pingPath: ping.path, check });
    expect(run.metrics.packetLoss).toBe(loss);
    expect(run).toMatchObject({ isDegraded, hasErrors: false, hasFailures: cause !== null });
    expect(run.failure?.cause ?? null).toBe(cause);
  });

  test('asserts on latencies and on the document', async () => {
    await using ping = await fakePing(iputilsOutput(2, { 1: 10, 2: 20 }));
    const assertions = [
      ...[{ source: 'LATENCY', property: 'max', comparison: 'LESS_THAN', target: '21' }],
      ...[{ source: 'LATENCY', property: 'avg', comparison: 'LESS_THAN', target: '15' }],
      {
        source: 'JSON_RESPONSE',
        property: '$.pingResults[1].ttl',
        comparison: 'EQUALS',
        target: '60',
      },
    ].map((one) => ({ regex: '', ...one })) as never;
    const options = { ...linux, pingPath: ping.path };
    const run = await runIcmpCheck({ pingCount: 2, assertions }, options);
    expect(run.failure?.cause).toBe('ASSERTION');
    expect(run.icmp.assertions.map(({ error }) => error === null)).toEqual([true, false, true]);
  });

  test('pings the address that the name resolves to, and never the name', async () => {
    const name = 'host.example.test';
    await using resolver = await startNameServer({
      [name]: { kind: 'answer', answers: [{ type: 'A', name, data: '192.0.2.77' }] },
    });
    await using ping = await fakePing(iputilsOutput(1, { 1: 1 }));
    const network = createNetwork({ nameServers: [`127.0.0.1:${resolver.port}`] });
    const options = { ...linux, network, pingPath: ping.path };
    const run = await runIcmpCheck({ hostname: name, pingCount: 1 }, options);
    expect(await ping.arguments()).toEqual('-4 -n -c 1 -i 0.5 -s 56 -W 2 -- 192.0.2.77'.split(' '));
    expect(run.icmp.request).toEqual({
      ...{ hostname: name, targetIp: '192.0.2.77', ipFamily: 'IPv4', pingCount: 1 },
    });
    expect(run.metrics.dns).toBeGreaterThan(0);
  });

  test('gives ping none of its own environment', async () => {
    process.env.WATCHPOST_API_KEY = 'secret-of-the-appliance';
    await using ping = await fakePing(iputilsOutput(1, { 1: 1 }));
    await runIcmpCheck({ pingCount: 1 }, { ...linux, pingPath: ping.path });
    delete process.env.WATCHPOST_API_KEY;
    const environment = await ping.environment();
    expect(environment).toContain('LC_ALL=C');
    expect(environment).not.toContain('secret-of-the-appliance');
  });

  test('says what the network reported when nothing came back', async () => {
    await using ping = await fakePing(
      `echo 'From 192.0.2.1 icmp_seq=1 Destination Host Unreachable'\n${iputilsOutput(1, {})}\nexit 1`,
    );
    const run = await runIcmpCheck({ pingCount: 1 }, { ...linux, pingPath: ping.path });
    expect(run).toMatchObject({
      hasFailures: true,
      failure: {
        cause: 'UNREACHABLE',
        message: '192.0.2.9 did not answer the echo request: Destination Host Unreachable',
      },
      metrics: { packetLoss: 100 },
      responseTime: 0,
    });
    expect(run.icmp.response?.pingResults).toMatchObject([{ type: 3, code: 1, success: false }]);
    expect(run.icmp.response?.latency).toEqual({ avg: null, min: null, max: null, stdDev: null });
  });

  test('sends fewer requests when its time is too short for all, and says so', async () => {
    await using ping = await fakePing(iputilsOutput(3, { 1: 1, 2: 1, 3: 1 }));
    const options = { ...linux, pingPath: ping.path, timeoutMs: 3_800 };
    const run = await runIcmpCheck({ pingCount: 50 }, options);
    expect((await ping.arguments()).slice(2, 4)).toEqual(['-c', '3']);
    expect(run.icmp.response).toMatchObject({ pingCount: 50, packetsSent: 3, packetLoss: 0 });
    expect(run.icmp.jobLog.request).toContainEqual(
      expect.objectContaining({
        level: 'WARN',
        msg: 'Only 3 of 50 echo requests fit into the time',
      }),
    );
  });

  test('asks for all 50 requests in the 30 s of a run', async () => {
    await using ping = await fakePing(iputilsOutput(50, { 1: 1 }));
    const options = { ...linux, pingPath: ping.path, timeoutMs: 30_000 };
    await runIcmpCheck({ pingCount: 50 }, options);
    expect((await ping.arguments()).slice(2, 4)).toEqual(['-c', '50']);
  });

  test('stops a ping that takes too long and uses what it has printed by then', async () => {
    const reply = '64 bytes from 192.0.2.9: icmp_seq=1 ttl=60 time=5 ms';
    await using ping = await fakePing(
      `trap 'echo "2 packets transmitted, 1 received"; exit 0' INT\necho '${reply}'\nwhile :; do sleep 0.05; done`,
    );
    const check = { degradedPacketLossThreshold: 10, maxPacketLossThreshold: 20 };
    const options = { ...linux, pingPath: ping.path, timeoutMs: 1_000, check };
    const run = await runIcmpCheck({ pingCount: 1 }, options);
    expect(run).toMatchObject({ failure: { cause: 'PACKET_LOSS' }, metrics: { packetLoss: 50 } });
    expect(run.stoppedAt - run.startedAt).toBeLessThan(10_000);
  });

  test('kills a ping that does not stop, with all that it started, in time', async () => {
    await using ping = await fakePing(`trap '' INT\nsleep 60 &\necho $$ $! > "$DIR/pids"\nwait`);
    const options = { ...linux, pingPath: ping.path, timeoutMs: 1_000 };
    const run = await runIcmpCheck({ pingCount: 1 }, options);
    expect(run).toMatchObject({
      ...{ hasErrors: true, hasFailures: false },
      failure: { cause: 'INTERNAL', message: 'ping did not send anything within its time' },
    });
    expect(run.stoppedAt - run.startedAt).toBeLessThan(10_000);
    const pids = (await ping.read('pids')).trim().split(' ').map(Number);
    expect(pids).toHaveLength(2);
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  test('does not ping a denied address', async () => {
    await using ping = await fakePing('exit 0');
    const options = { ...linux, pingPath: ping.path, deniedRanges: ['192.0.2.0/24'] };
    const run = await runIcmpCheck({}, options);
    expect(run).toMatchObject({ hasFailures: true, failure: { cause: 'DENIED_TARGET' } });
    await expect(ping.arguments()).rejects.toThrow('ENOENT');
  });

  test('blames the machine when ping may not send, with what ping said and a remedy', async () => {
    await using ping = await fakePing('echo "ping: socket: Operation not permitted" >&2; exit 2');
    const options = { ...linux, pingPath: ping.path };
    const run = await runIcmpCheck({ hostname: '127.0.0.1' }, options);
    expect(run).toMatchObject({
      ...{ hasErrors: true, hasFailures: false, metrics: {} },
      failure: { cause: 'INTERNAL' },
    });
    expect(run.failure?.message).toContain(
      'ended with status 2 and sent nothing, saying “ping: socket: Operation not permitted”. ' +
        'If it lacks permission, allow it: setcap',
    );
    expect(run.icmp).toMatchObject({ response: null, requestError: run.failure?.message });
  });

  test('blames the target when the machine has no way to it', async () => {
    await using ping = await fakePing('exit 2');
    // A UDP socket may not even be connected to the broadcast address; nothing is sent.
    const options = { ...linux, pingPath: ping.path };
    const run = await runIcmpCheck({ hostname: '255.255.255.255' }, options);
    expect(run).toMatchObject({ hasFailures: true, failure: { cause: 'UNREACHABLE' } });
    expect(run.failure?.message).toContain('There is no route to 255.255.255.255 (E');
  });

  test('blames the machine when the ping program may not be run', async () => {
    await using ping = await fakePing('exit 0');
    await chmod(ping.path, 0o644);
    const run = await runIcmpCheck({}, { ...linux, pingPath: ping.path });
    expect(run).toMatchObject({ hasErrors: true, failure: { cause: 'INTERNAL' } });
    expect(run.failure?.message).toContain('EACCES');
  });
});

describe('an ICMP check', () => {
  test('blames the machine when ping is not installed, and says how to install it', async () => {
    const run = await runIcmpCheck({}, { ...linux, pingPath: '/nonexistent/ping' });
    expect(run).toMatchObject({
      ...{ hasErrors: true, hasFailures: false },
      failure: { cause: 'INTERNAL' },
    });
    expect(run.failure?.message).toContain('apt-get install iputils-ping');
  });

  test.each([
    ['a name that does not resolve', 'no.example.test', 'IPv4', 'DNS_FAILURE'],
    ['an address of the other family', '127.0.0.1', 'IPv6', 'INVALID_TARGET'],
  ] as const)('of %s fails without ping', async (_, hostname, ipFamily, cause) => {
    await using resolver = await startNameServer({});
    const network = createNetwork({ nameServers: [`127.0.0.1:${resolver.port}`] });
    const options = { ...linux, network, pingPath: '/nonexistent/ping' };
    const run = await runIcmpCheck({ hostname, ipFamily }, options);
    expect(run).toMatchObject({ hasFailures: true, hasErrors: false, failure: { cause } });
    expect(run.icmp).toMatchObject({ response: null, request: { targetIp: null } });
  });
});

/** Whether a process runs; one that has ended and that nobody has waited for does not. */
function isAlive(pid: number): boolean {
  const state = existsSync('/proc/self/stat') ? stateInProc(pid) : stateByPs(pid);
  return state !== '' && !state.startsWith('Z');
}

function stateInProc(pid: number): string {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) ? (readFileSync(path, 'utf8').split(') ')[1] ?? '') : '';
}

function stateByPs(pid: number): string {
  return spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
}
