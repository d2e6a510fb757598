import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { evaluateAssertions } from '#shared/assertions/evaluate.ts';
import type { RunFailure, RunMetrics, RunResult } from '#shared/runs/protocol.ts';
import { noRouteFailure, silenceFailure, startFailure, unsentFailure } from '../icmp/outcome.ts';
import { type PingFlavour, pingFlavour, REPLY_WAIT_MS } from '../icmp/ping-flavour.ts';
import type { PingOutput } from '../icmp/ping-output.ts';
import { type PingExit, pingEnvironment, STOP_GRACE_MS } from '../icmp/ping-process.ts';
import { PingStarter } from '../icmp/ping-starter.ts';
import { type IcmpReport, type Latency, reportOf } from '../icmp/report.ts';
import { buildResult } from '../net/build-result.ts';
import { isDenied } from '../net/denied.ts';
import { JobLog } from '../net/job-log.ts';
import { toMicroseconds } from '../net/milliseconds.ts';
import { type Network, SYSTEM_NETWORK } from '../net/network.ts';
import type { ResolvedHost } from '../net/resolve.ts';
import type { Runner, RunRequestOf } from '../net/runner.ts';
import { Slots } from '../net/slots.ts';

/** What an ICMP runner stands on. */
export interface IcmpRunnerOptions {
  network?: Network;
  /** Path of the ping program; by default the platform's own, found through PATH. */
  pingPath?: string;
  platform?: NodeJS.Platform;
  /** How many ping programs may run at once. */
  maxPings?: number;
}

/** The options with nothing missing. */
interface Tools {
  network: Network;
  pingPath: string | undefined;
  dialect: PingFlavour;
  starter: PingStarter;
}

/** A run under way. */
interface IcmpRun {
  request: RunRequestOf<'ICMP'>;
  startedAt: number;
  /** Reading of `performance.now()` at which the run must be over. */
  endsAt: number;
  log: JobLog;
}

/** What came of a run; a report wherever echo requests went out. */
interface Pinged {
  failure: RunFailure | null;
  target: ResolvedHost | null;
  report: IcmpReport | null;
}

/** Milliseconds kept back for what follows ping: its last output, the verdict. */
const SETTLE_MS = 100;
const DEFAULT_PING_COUNT = 10;
/** Ping programs of one thread at once: a thousand would be in each other's response times. */
const MAX_PINGS = 128;

/** A runner of ICMP checks on the system's ping program. */
export function createIcmpRunner({
  network = SYSTEM_NETWORK,
  pingPath,
  platform = process.platform,
  maxPings = MAX_PINGS,
}: IcmpRunnerOptions = {}): Runner<'ICMP'> {
  const dialect = pingFlavour(platform);
  const tools: Tools = { network, pingPath, dialect, starter: new PingStarter() };
  const pings = new Slots(maxPings);
  // Waiting for a turn comes before the run: it is no time of the target's.
  return (request) =>
    pings.use(async () => {
      const endsAt = performance.now() + request.timeoutMs;
      const run: IcmpRun = { request, startedAt: Date.now(), endsAt, log: new JobLog() };
      return conclude(run, await ping(run, tools));
    });
}

/** The runner that pings as this machine does. */
export const runIcmp = createIcmpRunner();

async function ping(run: IcmpRun, tools: Tools): Promise<Pinged> {
  const { check, deniedRanges, timeoutMs } = run.request;
  const startedAt = performance.now();
  const family = check.request.ipFamily ?? 'IPv4';
  const target = await tools.network.resolve(check.request.hostname, family, timeoutMs);
  const dnsResolutionTime = toMicroseconds(performance.now() - startedAt);
  if (target.failure) return { failure: target.failure, target: null, report: null };
  if (isDenied(target.address, deniedRanges)) {
    const message = `The operator of this appliance denies checks to ${target.address}`;
    return { failure: { cause: 'DENIED_TARGET', message }, target, report: null };
  }
  const sent = await sendEchoes(run, target, tools);
  if ('failure' in sent) return { failure: sent.failure, target, report: null };
  const { hostname, pingCount } = check.request;
  const asked = { hostname, resolvedIp: target.address, ipFamily: family, dnsResolutionTime };
  const report = reportOf({ ...asked, pingCount: pingCount ?? DEFAULT_PING_COUNT }, sent);
  return { failure: silenceFailure(report, sent.reportedError), target, report };
}

async function sendEchoes(
  { request, endsAt, log }: IcmpRun,
  { address, family }: ResolvedHost,
  { pingPath, dialect, starter }: Tools,
): Promise<PingOutput | { failure: RunFailure }> {
  const budgetMs = Math.max(1, endsAt - performance.now() - SETTLE_MS);
  const wanted = request.check.request.pingCount ?? DEFAULT_PING_COUNT;
  const count = Math.min(wanted, affordable(budgetMs, dialect.intervalMs));
  if (count < wanted) log.add('WARN', `Only ${count} of ${wanted} echo requests fit into the time`);
  const program = pingPath ?? dialect.program[family];
  log.add('DEBUG', `Sending ${count} echo requests to ${address}`);
  const args = dialect.args(address, family, count);
  const exit = await starter.run({ program, args, budgetMs, environment: pingEnvironment() });
  if ('startError' in exit) return { failure: startFailure(program, exit.startError) };
  if (exit.stopped) log.add('WARN', 'ping was stopped because the time of the run was over');
  const output = dialect.parse(exit.stdout);
  const isSent = output.echoes.length > 0 || (output.sent ?? 0) > 0;
  return isSent ? output : { failure: await unsent(address, exit) };
}

/** How many echo requests fit into a time, together with the wait for the last reply. */
function affordable(budgetMs: number, intervalMs: number): number {
  const sendingMs = budgetMs - STOP_GRACE_MS - REPLY_WAIT_MS;
  return Math.max(1, 1 + Math.floor(sendingMs / intervalMs));
}

async function unsent(address: string, exit: PingExit): Promise<RunFailure> {
  const error = await routeError(address);
  return error ? noRouteFailure(address, error.code ?? error.name) : unsentFailure(exit);
}

function conclude({ request, startedAt, log }: IcmpRun, pinged: Pinged): RunResult {
  const { failure, target, report } = pinged;
  const { hostname, ipFamily, pingCount, assertions } = request.check.request;
  if (failure) log.add('ERROR', failure.message);
  const outcomes =
    report && !failure
      ? evaluateAssertions('ICMP', assertions, { latency: report.latency, jsonResponse: report })
      : [];
  return buildResult({
    request,
    startedAt,
    responseTime: report?.latency.avg ?? 0,
    failure: failure && { cause: failure.cause, message: failure.message },
    packetLoss: report?.packetLoss,
    outcomes,
    metrics: report ? metricsOf(report) : {},
    detail: {
      icmpCheckResult: {
        request: {
          hostname,
          targetIp: target?.address ?? null,
          ipFamily: ipFamily ?? 'IPv4',
          pingCount: pingCount ?? DEFAULT_PING_COUNT,
        },
        response: report,
        assertions: outcomes,
        requestError: failure?.message ?? null,
        jobLog: { setup: [], request: log.shown(), teardown: [] },
      },
    },
  });
}

/** Latencies only where there are some: none is not zero. */
function metricsOf({ dnsResolutionTime, packetLoss, latency }: IcmpReport): RunMetrics {
  return { dns: dnsResolutionTime, ...latencyMetrics(latency), packetLoss };
}

function latencyMetrics({ avg, min, max, stdDev }: Latency): RunMetrics {
  if (avg === null || min === null || max === null || stdDev === null) return {};
  return { latencyAvg: avg, latencyMin: min, latencyMax: max, latencyStdDev: stdDev };
}

/** Any port: connecting a UDP socket sends nothing. */
const PROBE_PORT = 33_434;

/**
 * Asks the system whether it knows a way to an address; nothing is sent. Null where it does, else
 * its error (`ENETUNREACH`, …). This tells a ping that has no route from one that may not run,
 * which exit codes and texts of ping programs do not.
 */
function routeError(address: string): Promise<NodeJS.ErrnoException | null> {
  const socket = createSocket(isIPv4(address) ? 'udp4' : 'udp6');
  return new Promise((resolve) => {
    const resolveOnce = (error: NodeJS.ErrnoException | null) => {
      socket.removeAllListeners();
      socket.close();
      resolve(error);
    };
    socket.once('error', resolveOnce);
    const connected = (error?: NodeJS.ErrnoException) => resolveOnce(error ?? null);
    socket.connect(PROBE_PORT, address, connected as () => void);
  });
}
