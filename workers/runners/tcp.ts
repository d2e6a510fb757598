import { evaluateAssertions } from '#shared/assertions/evaluate.ts';
import type { Show } from '#shared/assertions/text.ts';
import type { RunResult } from '#shared/runs/protocol.ts';
import { MAX_MESSAGE_CHARS, Mask } from '../masking/mask.ts';
import { SecretForms } from '../masking/secret-forms.ts';
import { buildResult } from '../net/build-result.ts';
import { Deadline } from '../net/deadline.ts';
import { dial, type Marks, startMarks } from '../net/dial.ts';
import type { NetworkFailure } from '../net/failure.ts';
import { JobLog } from '../net/job-log.ts';
import { abandon } from '../net/listeners.ts';
import { toMicroseconds } from '../net/milliseconds.ts';
import { type Network, SYSTEM_NETWORK } from '../net/network.ts';
import type { Runner, RunRequestOf } from '../net/runner.ts';
import { tcpExchange } from '../net/tcp-exchange.ts';

type TcpRequest = RunRequestOf<'TCP'>['check']['request'];

/** What a connection, and the exchange on it, came to. */
interface TcpFindings {
  /** Empty where nothing was asked or read. */
  reply: string;
  failure: NetworkFailure | null;
}

/** Milliseconds, named as the metrics of TCP checks. */
type TcpPhases = { dns: number; connection: number; data: number; total: number };

/**
 * Makes the runner of TCP checks: a connection, and where `data` is set or an assertion asks for
 * the reply (a greeting), one exchange on it.
 */
export function createTcpRunner(network: Network): Runner<'TCP'> {
  const forms = new SecretForms();
  return async (request) => {
    const mask = new Mask({ values: request.secrets ?? [] }, forms);
    const startedAt = Date.now();
    const log = new JobLog();
    const marks = startMarks();
    const { result: findings, stalledMs } = await network.stalls.during(() =>
      find(request, network, marks),
    );
    marks.endedAt ??= performance.now();
    const phases = phasesOf(marks);
    account(request.check.request, marks, findings, phases, log);
    return conclude(request, { ...findings, stalledMs }, phases, { log, startedAt, mask });
  };
}

/** Runs a TCP check on this machine's network. */
export const runTcp = createTcpRunner(SYSTEM_NETWORK);

async function find(
  { check, timeoutMs, deniedRanges }: RunRequestOf<'TCP'>,
  network: Network,
  marks: Marks,
): Promise<TcpFindings> {
  const { hostname: host, port, ipFamily: family } = check.request;
  const deadline = new Deadline(timeoutMs);
  try {
    const target = { host, port, family, tls: null };
    const dialled = await dial(target, { network, deadline, deniedRanges }, marks);
    if (dialled.failure) return { reply: '', failure: dialled.failure };
    if (!expectsReply(check.request)) {
      marks.endedAt = marks.connectedAt;
      abandon(dialled.socket);
      return { reply: '', failure: null };
    }
    const exchanged = await tcpExchange(
      dialled.socket,
      check.request.data,
      deadline,
      marks,
      `${host}:${port}`,
    );
    abandon(dialled.socket);
    return exchanged.failure
      ? { reply: '', failure: exchanged.failure }
      : { reply: exchanged.reply.toString(), failure: null };
  } finally {
    deadline.close();
  }
}

function expectsReply({ data, assertions }: TcpRequest): boolean {
  return data !== null || assertions.some(({ source }) => source === 'RESPONSE_DATA');
}

function phasesOf({ startedAt, lookedUpAt, connectedAt, endedAt }: Marks): TcpPhases {
  const end = endedAt ?? performance.now();
  const lookup = lookedUpAt ?? end;
  const connect = connectedAt ?? end;
  return {
    dns: toMicroseconds(lookup - startedAt),
    connection: toMicroseconds(connect - lookup),
    data: toMicroseconds(end - connect),
    total: toMicroseconds(end - startedAt),
  };
}

function account(
  { hostname, port, ipFamily }: TcpRequest,
  { address, connectedAt, respondedAt }: Marks,
  { reply, failure }: TcpFindings,
  { dns, connection, data }: TcpPhases,
  log: JobLog,
): void {
  log.add('DEBUG', `${hostname} port ${port} over ${ipFamily}`);
  if (address !== null) log.add('DEBUG', `Resolved to ${address} in ${dns} ms`);
  if (connectedAt !== null) log.add('INFO', `Connected in ${connection} ms`);
  if (respondedAt !== null) log.add('INFO', `Read ${reply.length} characters in ${data} ms`);
  if (failure) log.add('ERROR', failure.message);
}

function conclude(
  request: RunRequestOf<'TCP'>,
  { reply, failure, stalledMs }: TcpFindings & { stalledMs: number },
  phases: TcpPhases,
  { log, startedAt, mask }: { log: JobLog; startedAt: number; mask: Mask },
): RunResult {
  const { hostname, port, data, ipFamily, assertions } = request.check.request;
  const responseTime = phases.connection;
  const show: Show = (text, maxChars) => mask.start(text, maxChars);
  const outcomes = failure
    ? []
    : evaluateAssertions('TCP', assertions, { data: reply, responseTime }, show);
  const shown = mask.data({
    assertions: outcomes,
    request: { hostname, port, data, ipFamily },
    response: failure ? { data: reply, error: errorShown(failure) } : { data: reply },
  });
  const tcpCheckResult = {
    ...shown,
    timingPhases: phases,
    requestError: failure && show(failure.message, MAX_MESSAGE_CHARS),
    jobLog: { setup: [], request: log.shown(show), teardown: [] },
  };
  const detail = { tcpCheckResult };
  return buildResult({
    ...{ request, startedAt, responseTime, stalledMs, failure, outcomes, detail, mask },
    metrics: phases,
  });
}

/** What the system said about a failure. */
function errorShown({ cause: _cause, message: _message, ...error }: NetworkFailure): object {
  return error;
}
