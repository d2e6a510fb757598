import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  anchorProbe,
  findProbes,
  gatewayProbe,
  probeTcp,
  resolverProbe,
} from '#main/self-monitoring/find-probes.ts';
import { type Probe, Probes } from '#main/self-monitoring/probes.ts';
import { FakeProbe } from '../../fixtures/connectivity-monitor.ts';
import { type Behaviour, startNameServer } from '../../fixtures/dns/server.ts';
import { closedPort, startServer } from '../../fixtures/net/servers.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const MINUTE = 60_000;

function standStill(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('canaries on this machine', () => {
  test('an anchor answers by taking a connection', async () => {
    await using server = await startServer((socket) => socket.end());
    const { port } = server;
    expect(await anchorProbe({ host: '127.0.0.1', port }).ask()).toBe(true);
    expect(await anchorProbe({ host: 'localhost', port }).ask()).toBe(true);
  });

  test('an anchor that refuses does not answer', async () => {
    const port = await closedPort();
    const anchor = anchorProbe({ host: '::1', port });
    expect(anchor.name).toBe(`[::1]:${port}`);
    expect(await anchor.ask()).toBe(false);
  });

  test('a gateway that refuses connections is there', async () => {
    expect(await gatewayProbe('127.0.0.1').ask()).toBe(true);
  });

  test.each([
    ['an address', { kind: 'answer', answers: [] }],
    ['that it fails', { kind: 'code', status: 2 }],
    ['that it refuses', { kind: 'code', status: 5 }],
  ] satisfies [string, Behaviour][])(
    'a name server answers, also where it says %s',
    async (_name, behaviour) => {
      await using server = await startNameServer({ '.': behaviour });
      expect(await resolverProbe(`127.0.0.1:${server.port}`).ask()).toBe(true);
    },
  );

  test('a name server that is silent, or is not there, does not', async () => {
    await using server = await startNameServer({ '.': { kind: 'drop' } });
    expect(await resolverProbe(`127.0.0.1:${server.port}`).ask()).toBe(false);
    expect(await resolverProbe(`127.0.0.1:${await closedPort()}`).ask()).toBe(false);
  });

  test('only what the operator wants is asked', async () => {
    const anchors = [{ host: 'anchor.test', port: 443 }];
    const found = await findProbes({ gateway: false, resolvers: false, anchors });
    expect(found.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['anchor anchor.test:443']);
    expect(await findProbes({ gateway: false, resolvers: false, anchors: [] })).toEqual([]);
  });
});

/** Canaries on a simulated clock, and the way to ask them. */
function simulated() {
  const clock = new SimulatedClock();
  let known: Probe[] = [];
  const probes = new Probes(async () => known, clock);
  return {
    clock,
    probes,
    /** What the system has from now on. */
    has(...found: FakeProbe[]) {
      known = found;
    },
    async ask() {
      const asked = probes.ask();
      await clock.advance(1_000);
      return asked;
    },
  };
}

describe('what the canaries say', () => {
  test('one that answers is enough, and the others are not waited for', async () => {
    const { clock, probes, has } = simulated();
    const dead = new FakeProbe(clock, 'dead');
    dead.isAlive = false;
    has(dead, new FakeProbe(clock, 'living'));
    const word = probes.ask();
    await clock.advance(2);
    expect(await word).toBe('answered');
    expect(probes.view().map(({ lastAnswerAt }) => lastAnswerAt !== null)).toEqual([false, true]);
  });

  test('without any, nothing is known', async () => {
    expect(await simulated().ask()).toBe('unknown');
  });

  test('silence means something for a quarter of an hour after the last answer', async () => {
    const { clock, has, ask } = simulated();
    const probe = new FakeProbe(clock);
    has(probe);
    expect(await ask()).toBe('answered');
    probe.isAlive = false;
    expect(await ask()).toBe('silent');
    await clock.advance(14 * MINUTE);
    expect(await ask()).toBe('silent');
    await clock.advance(MINUTE);
    expect(await ask()).toBe('unknown');
  });

  test('a gateway that the system forgot with its network is asked all the same', async () => {
    const { clock, probes, has, ask } = simulated();
    const probe = new FakeProbe(clock);
    has(probe);
    await ask();
    has();
    probe.isAlive = false;
    expect(await ask()).toBe('silent');
    has(new FakeProbe(clock, '198.51.100.1'));
    expect(await ask()).toBe('answered');
    expect(probes.view().map(({ name }) => name)).toEqual(['198.51.100.1']);
  });
});

test('an answer that came while this process stood still counts', async () => {
  await using server = await startServer(() => undefined);
  // Timers come before sockets in the turn after this one.
  await nextTurn();
  const asked = probeTcp('127.0.0.1', server.port, 50);
  process.nextTick(() => standStill(200));
  expect(await asked).toBe('connected');
});
