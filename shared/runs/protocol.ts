import type { RunArtifact } from '#shared/artifacts/artifact.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import type { RunnableCheckType } from '#shared/checks/enums.ts';
import type { RunVariables } from '#shared/sandbox/script.ts';

/**
 * What passes between the appliance and whatever executes a run: a {@link RunRequest} in, a
 * {@link RunResult} out. Plain data only: it crosses threads.
 */
export interface RunRequest {
  /** Unique for every attempt. */
  runId: string;
  check: RunnableCheck;
  /** The location asked for: a data-center code or a private location's slug. */
  location: string;
  /** Milliseconds that the run may take as a whole; the runner's own deadline. */
  timeoutMs: number;
  /** CIDR ranges that the operator denies to checks; empty by default. */
  deniedRanges: readonly string[];
  /** Whether the check's last run failed; missing where it did not, and where nobody knows. */
  wasFailing?: boolean | undefined;
  /** Whether the packages of a Playwright project are to be installed though there are kept ones. */
  installsAnew?: boolean | undefined;
  /** What scripts and templates may read; missing where the check has neither. */
  scope?: RunVariables | undefined;
  /** Values that no result and no log may show, in whatever form; missing where there are none. */
  secrets?: readonly string[] | undefined;
}

/** What a runner thread is started with. */
export interface RunnerData {
  /** A program and its arguments that script hosts start with, to have no network; empty for none. */
  scriptLauncher: readonly string[];
  /** Of the thread that runs browser, multi-step and Playwright checks; null in every other. */
  browser: BrowserRunnerData | null;
}

/** What the runs of browser, multi-step and Playwright checks need of this machine. */
export interface BrowserRunnerData {
  /** Holds the folder of each run under way; short, as Chromium's sockets lie in them. */
  runsFolder: string;
  /** Where artifacts are kept by their hash. */
  artifactsFolder: string;
  /** What may be made anew at any time: installed libraries of suites, compiled code. */
  cacheFolder: string;
  /** How the thread finds a Chromium, with its first run. */
  chromium: ChromiumSearch;
  /** The program bubblewrap, where it works here and is wanted. */
  bwrap: string | null;
  /** Whether nothing may run without it. */
  requireCage: boolean;
  /** Most runs at once; more wait. */
  browsersAtOnce: number;
  /** Whether browsers run on from one run of a check to the next. */
  warmBrowsers: boolean;
  /** Megabytes that the processes of one run may use together. */
  memoryMb: number;
  /** Ports of the appliance itself, which no browser may open; 0 where one is not known yet. */
  ownPorts: ArrayLike<number>;
  /** Where uploaded projects of Playwright checks are, each named by the hash of its bytes. */
  bundlesFolder: string;
  /** Folders of this machine that Playwright checks may be run from. */
  allowedFolders: readonly string[];
}

/** Where a Chromium is searched for, beside the usual places. */
export interface ChromiumSearch {
  /** The path that the operator named: then nothing else counts. */
  setting: string | null;
  /** Where one is unpacked that came as a package. */
  cacheFolder: string;
}

/** A Chromium on this machine. */
export interface FoundChromium {
  /** No link; all that it needs stands in its folder or in the usual ones. */
  path: string;
  kind: 'headless-shell' | 'chrome';
  /** Where it was found, in words for people. */
  source: string;
  /** What it must be started with here. */
  args: readonly string[];
}

/**
 * Why a run is bad, as a closed set. `PHASE_TIMEOUT`s name where the time ran out. The last five
 * say nothing of the target: they set `hasErrors`, never `hasFailures`.
 */
export const CAUSES = [
  'DNS_FAILURE',
  'CONNECTION_REFUSED',
  'CONNECTION_RESET',
  'UNREACHABLE',
  'TIMEOUT_DNS',
  'TIMEOUT_CONNECT',
  'TIMEOUT_TLS',
  'TIMEOUT_RESPONSE',
  'TIMEOUT_DOWNLOAD',
  'TLS_EXPIRED',
  'TLS_UNTRUSTED',
  'TLS_WRONG_HOST',
  'TLS_HANDSHAKE',
  'PROTOCOL_ERROR',
  'TOO_LARGE',
  'TOO_MANY_REDIRECTS',
  'INVALID_TARGET',
  'DENIED_TARGET',
  'STATUS',
  'ASSERTION',
  'MAX_RESPONSE_TIME',
  'PACKET_LOSS',
  'RESPONSE_CODE',
  'SCRIPT',
  'TIMEOUT_RUN',
  'OUT_OF_MEMORY',
  'TOO_MANY_PROCESSES',
  'UNSUPPORTED',
  'RUNNER_LOST',
  'BLIND',
  'CANCELLED',
  'INTERNAL',
] as const;
export type Cause = (typeof CAUSES)[number];

/** Our own trouble, or somebody's wish, and nothing of the target's. */
export const INTERNAL_CAUSES: readonly Cause[] = [
  'UNSUPPORTED',
  'RUNNER_LOST',
  'BLIND',
  'CANCELLED',
  'INTERNAL',
];

/** Causes that came before any answer of the target: what `onlyOn: NETWORK_ERROR` retries. */
export const NETWORK_CAUSES: readonly Cause[] = [
  'DNS_FAILURE',
  'CONNECTION_REFUSED',
  'CONNECTION_RESET',
  'UNREACHABLE',
  'TIMEOUT_DNS',
  'TIMEOUT_CONNECT',
  'TIMEOUT_TLS',
  'TIMEOUT_RESPONSE',
  'TIMEOUT_DOWNLOAD',
];

/** The first thing that is wrong with a run: its cause and a sentence for people. */
export interface RunFailure {
  cause: Cause;
  message: string;
}

/** Flags of a result (specification 2.7). */
export interface ResultFlags {
  hasFailures: boolean;
  hasErrors: boolean;
  isDegraded: boolean;
  overMaxResponseTime: boolean;
}

/**
 * Numbers of a run, named by the metric that they feed: milliseconds (fractional), but for `packetLoss`
 * in percent, CLS without a unit, and counts of errors. Which names a type has is in `CHECK_TRAITS`.
 */
export type RunMetrics = Readonly<Record<string, number>>;

/** The certificate that a target showed, whether it was trusted or not. */
export interface PeerCertificate {
  /** The host that was asked for it, in lower case. */
  domain: string;
  /** Epoch ms: its last valid moment. */
  notAfter: number;
}

/** What a runner answers. A target that is down is a value, never an exception. */
export interface RunResult extends ResultFlags {
  runId: string;
  /** Epoch milliseconds, read from the clock when the run began and when it was judged. */
  startedAt: number;
  stoppedAt: number;
  /** Milliseconds of the relevant part of the run; what the limits are compared with. */
  responseTime: number;
  failure: RunFailure | null;
  metrics: RunMetrics;
  /**
   * The web vitals of the pages of a browser check's run after the first one, whose own are in `metrics`,
   * in the order of the detail's `pages`. A page without any has an empty object.
   */
  laterPages?: readonly RunMetrics[] | undefined;
  /** HTTP status; null where there was none. */
  statusCode: number | null;
  /**
   * Of the first HTTPS connection of a run, if it is the one that the check watches; missing or null
   * where there is none.
   */
  certificate?: PeerCertificate | null | undefined;
  /**
   * JSON text of an object with the one member of `DETAIL_KEYS` that fits the type. Text, so
   * that the threads it passes through copy bytes and never walk a tree.
   */
  detail: string;
  /** What the run left in the artifact store; missing where there is nothing. */
  artifacts?: readonly RunArtifact[] | undefined;
}

/**
 * Bytes of a detail in UTF-8; of a result with a longer one only the numbers are kept. A page of a hundred
 * results must fit in memory.
 */
export const MAX_DETAIL_BYTES = 512 * 1024;

/** A sign of life of a runner's thread. */
export interface Pulse {
  threadId: number;
  /** Whether it has runs; the last pulse before it rests says that it has none. */
  isBusy: boolean;
}

/**
 * What a thread of runners is told: of runs, of one that nobody wants any more, to remove what runs of browsers left
 * behind, to end those soon.
 */
export type ToThread = { runs: readonly RunRequest[] } | { cancel: string } | 'reap' | 'endRuns';

/** What a thread of runners tells. */
export type FromThread =
  | { results: RunResult[] }
  | { pulse: Pulse }
  /** The runs of browsers have ended, as it was told. */
  | { ended: true }
  /** Why it could not do what it was told. */
  | { trouble: string };

/** How often a thread that has runs shows that it lives. */
export const PULSE_MS = 1_000;

const NETWORK_TIMEOUT_MS = 30_000;
const SCRIPT_TIMEOUT_MS = 240_000;
/** Thirty minutes for the tests of a suite and five for the installation of its libraries. */
const SUITE_TIMEOUT_MS = 35 * 60_000;

/** Milliseconds that a run may take as a whole. */
export const RUN_TIMEOUTS_MS = {
  API: NETWORK_TIMEOUT_MS,
  URL: NETWORK_TIMEOUT_MS,
  TCP: NETWORK_TIMEOUT_MS,
  DNS: NETWORK_TIMEOUT_MS,
  ICMP: NETWORK_TIMEOUT_MS,
  BROWSER: SCRIPT_TIMEOUT_MS,
  MULTI_STEP: SCRIPT_TIMEOUT_MS,
  PLAYWRIGHT: SUITE_TIMEOUT_MS,
} as const satisfies { [T in RunnableCheckType]: number };

/** Who makes the runs: threads that speak to the network, or one that waits for processes. */
export type PoolName = 'network' | 'browser';

/** Which pool a type's runs are made in. */
export const RUNNER_POOLS = {
  API: 'network',
  URL: 'network',
  TCP: 'network',
  DNS: 'network',
  ICMP: 'network',
  BROWSER: 'browser',
  MULTI_STEP: 'browser',
  PLAYWRIGHT: 'browser',
} as const satisfies { [T in RunnableCheckType]: PoolName };

/**
 * What a run on the network needs of its check. Nothing else is handed over to its thread: to copy the whole of a check
 * costs three times as much.
 */
const NETWORK_CHECK_MEMBERS = [
  'checkType',
  'request',
  'shouldFail',
  'degradedResponseTime',
  'maxResponseTime',
  'degradedPacketLossThreshold',
  'maxPacketLossThreshold',
  'sslCheckDomain',
] as const;
export type NetworkCheckMember = (typeof NETWORK_CHECK_MEMBERS)[number];

/** A request as it is handed over to a thread. */
export function requestForThread(request: RunRequest): RunRequest {
  const { check } = request;
  if (RUNNER_POOLS[check.checkType] !== 'network') return request;
  const needed: Record<string, unknown> = {};
  for (const name of NETWORK_CHECK_MEMBERS) {
    if (name in check) needed[name] = check[name as keyof RunnableCheck];
  }
  return { ...request, check: needed as unknown as RunnableCheck };
}

/**
 * Milliseconds beyond its own time limit that a run may be silent before its runner counts as lost:
 * it may wait its turn in its thread (2,000 runs, 128 pings, a few browsers at once) before its time begins.
 */
export const RUN_SILENCE_MS = 120_000;
