// Runs in a network namespace of its own: a run that passes, one of a closed port, one with the link
// cut, one with the link back. Prints what was kept of each as a line of JSON.
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { systemClock } from '#main/platform/system-clock.ts';
import { ConnectivityMonitor } from '#main/self-monitoring/connectivity-monitor.ts';
import { findProbes } from '#main/self-monitoring/find-probes.ts';
import { Probes } from '#main/self-monitoring/probes.ts';
import { createNetwork } from '#workers/net/network.ts';
import { createUrlRunner } from '#workers/runners/url.ts';
import { makeCheck } from '../../../fixtures/checks.ts';

const [, , gateway = '', link = '', port = ''] = process.argv;
const probes = new Probes(
  () => findProbes({ gateway: true, resolvers: false, anchors: [] }),
  systemClock,
);
const connectivityMonitor = new ConnectivityMonitor({
  clock: systemClock,
  probes,
  channels: { all: () => [] },
  log: pino({ level: 'silent' }),
  toldAfterMs: 30_000,
  tell: async () => undefined,
  onlineAgain: () => undefined,
  health: () => ({ heapShare: 0, freeBytes: null, isStoreFailing: false }),
  longestStandstillMs: () => 0,
});
const runUrl = createUrlRunner(createNetwork());

async function run(url: string): Promise<void> {
  const check = makeCheck('URL', { request: { url } } as never);
  const request = { runId: url, check, location: 'local', timeoutMs: 5_000, deniedRanges: [] };
  const found = await runUrl(request);
  const { hasFailures, hasErrors, failure } = await connectivityMonitor.judge(request, found);
  const cause = failure?.cause ?? null;
  console.log(
    JSON.stringify({
      found: found.failure?.cause ?? null,
      hasFailures,
      hasErrors,
      cause,
    }),
  );
}

const ip = (...args: string[]) => execFileSync('ip', args);
const target = `http://${gateway}:${port}/`;
while (connectivityMonitor.view().state === 'asking') await pause(10);
await run(target);
await run(`http://${gateway}:1/`);
ip('link', 'set', link, 'down');
await run(target);
ip('link', 'set', link, 'up');
ip('route', 'add', 'default', 'via', gateway);
while (connectivityMonitor.isOffline()) await pause(50);
await run(target);
connectivityMonitor.stop();
