import { getServers } from 'node:dns';
import { evaluateAssertions } from '#shared/assertions/evaluate.ts';
import type { Show } from '#shared/assertions/text.ts';
import type { RunFailure, RunMetrics, RunResult } from '#shared/runs/protocol.ts';
import { askServers, type Exchange } from '../dns/ask.ts';
import { jsonAnswer, textAnswer } from '../dns/message.ts';
import { customServer, type NameServers, systemServers } from '../dns/name-server.ts';
import { questionFor } from '../dns/question.ts';
import { MAX_MESSAGE_CHARS, Mask } from '../masking/mask.ts';
import { SecretForms } from '../masking/secret-forms.ts';
import { buildResult } from '../net/build-result.ts';
import { JobLog } from '../net/job-log.ts';
import { toMicroseconds } from '../net/milliseconds.ts';
import { type Network, SYSTEM_NETWORK } from '../net/network.ts';
import type { Runner, RunRequestOf } from '../net/runner.ts';

/** What a DNS runner stands on. */
export interface DnsRunnerOptions {
  network?: Network;
  /** The machine's own name servers, as `dns.getServers()` lists them. */
  listServers?: () => readonly string[];
}

/** A run under way. */
interface BegunRun {
  request: RunRequestOf<'DNS'>;
  startedAt: number;
  /** Reading of `performance.now()` at which the run must be over. */
  endsAt: number;
  log: JobLog;
  mask: Mask;
}

/** A run that is over. */
interface DnsRun extends BegunRun {
  /** Milliseconds in which this thread stood still. */
  stalledMs: number;
}

/** What the question led to. `lookupMs` is what resolving the name server's own name took. */
interface Answered {
  exchange: Exchange;
  lookupMs: number | null;
  /** From the first question to the answer, over every server that was asked. */
  resolutionMs: number;
}

/** A runner of DNS checks: one question, asked as the check says. */
export function createDnsRunner({
  network = SYSTEM_NETWORK,
  listServers = getServers,
}: DnsRunnerOptions = {}): Runner<'DNS'> {
  const forms = new SecretForms();
  return async (request) => {
    const mask = new Mask({ values: request.secrets ?? [] }, forms);
    const endsAt = performance.now() + request.timeoutMs;
    const begun = { request, startedAt: Date.now(), endsAt, log: new JobLog(), mask };
    const { result: outcome, stalledMs } = await network.stalls.during(() =>
      resolve(begun, network, listServers),
    );
    const run: DnsRun = { ...begun, stalledMs };
    return 'failure' in outcome ? unanswered(run, outcome.failure) : answered(run, outcome);
  };
}

/** The runner that asks as this machine does. */
export const runDns = createDnsRunner();

async function resolve(
  { request, endsAt, log }: BegunRun,
  network: Network,
  listServers: () => readonly string[],
): Promise<Answered | { failure: RunFailure }> {
  const { query, recordType, protocol, nameServer } = request.check.request;
  const asking = questionFor(query, recordType);
  if ('failure' in asking) return asking;
  const found: NameServers = nameServer
    ? await customServer(nameServer, request, network, endsAt - performance.now())
    : systemServers(listServers());
  if (found.failure) return found;
  const { lookupMs, servers } = found;
  const startedAt = performance.now();
  const exchange = await askServers(asking.question, servers, { protocol, network, endsAt, log });
  const answeredAt = exchange.failure ? performance.now() : exchange.answeredAt;
  return { exchange, lookupMs, resolutionMs: toMicroseconds(answeredAt - startedAt) };
}

/** Ends a run that never came to asking. */
function unanswered(run: DnsRun, failure: RunFailure): RunResult {
  return conclude(run, { failure, responseTime: 0, metrics: {}, detail: {} });
}

function answered(run: DnsRun, { exchange, lookupMs, resolutionMs }: Answered): RunResult {
  const { server, connectionMs } = exchange;
  const metrics = {
    ...(lookupMs === null ? {} : { dns: toMicroseconds(lookupMs) }),
    ...(connectionMs === null ? {} : { connection: toMicroseconds(connectionMs) }),
    total: resolutionMs,
  };
  const detail = {
    nameServerInfo: { name: server.name, host: server.address, port: server.port },
  };
  if (exchange.failure) {
    const { failure } = exchange;
    return conclude(run, { failure, responseTime: resolutionMs, metrics, detail });
  }
  const { message } = exchange;
  const { responseCode } = message;
  const facts = {
    responseCode,
    responseTime: resolutionMs,
    textAnswer: textAnswer(message),
    jsonAnswer: jsonAnswer(message),
  };
  run.log.add('INFO', `${responseCode} with ${message.answerCount} records`);
  return conclude(run, {
    failure: null,
    responseTime: resolutionMs,
    responseCode,
    metrics,
    outcomes: evaluateAssertions('DNS', run.request.check.request.assertions, facts, showOf(run)),
    detail: {
      ...detail,
      response: {
        returnCode: responseCode,
        answer: facts.textAnswer,
        json: facts.jsonAnswer,
        responseTime: resolutionMs,
      },
    },
  });
}

function showOf({ mask }: DnsRun): Show {
  return (text, maxChars) => mask.start(text, maxChars);
}

interface Conclusion {
  failure: RunFailure | null;
  responseTime: number;
  responseCode?: string;
  metrics: RunMetrics;
  outcomes?: ReturnType<typeof evaluateAssertions>;
  /** What was found; members that are missing are null in the result. */
  detail: { nameServerInfo?: object; response?: object };
}

function conclude(run: DnsRun, conclusion: Conclusion): RunResult {
  const { request, startedAt, stalledMs, log, mask } = run;
  const show = showOf(run);
  const { failure, outcomes = [], detail } = conclusion;
  const { query, recordType, protocol, nameServer = null, port = null } = request.check.request;
  if (failure) log.add('ERROR', failure.message);
  return buildResult({
    request,
    startedAt,
    stalledMs,
    ...conclusion,
    failure: failure && { cause: failure.cause, message: failure.message },
    outcomes,
    mask,
    detail: {
      dnsCheckResult: {
        ...mask.data({
          request: { query, recordType, protocol, nameServer, port },
          nameServerInfo: null,
          response: null,
          ...detail,
          assertions: outcomes,
        }),
        requestError: failure && show(failure.message, MAX_MESSAGE_CHARS),
        jobLog: { setup: [], request: log.shown(show), teardown: [] },
      },
    },
  });
}
