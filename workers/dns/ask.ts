import { Deadline } from '../net/deadline.ts';
import { startMarks } from '../net/dial.ts';
import type { JobLog } from '../net/job-log.ts';
import type { Network } from '../net/network.ts';
import type { NameServer } from './name-server.ts';
import { endpointText, type QueryOutcome } from './query.ts';
import type { Question } from './question.ts';
import { askOverTcp } from './tcp.ts';
import { askOverUdp } from './udp.ts';

/** How the question went: to the last server asked, with what it took. */
export type Exchange = QueryOutcome & {
  server: NameServer;
  /** Milliseconds of a TCP handshake, where there was one. */
  connectionMs: number | null;
};

/** What asking stands on. */
export interface AskContext {
  protocol: 'UDP' | 'TCP';
  network: Network;
  /** The reading of `performance.now()` at which the run must be over. */
  endsAt: number;
  log: JobLog;
}

/** Milliseconds after which a server that is not the last gives way to the next (resolv.conf(5)). */
const FAILOVER_AFTER_MS = 5_000;

/**
 * Asks the servers in turn until one answers, whatever the answer says: what is tried again is only
 * an exchange that failed. Every server but the last gets a fair share of the time left.
 */
export async function askServers(
  question: Question,
  [server, ...others]: readonly [NameServer, ...NameServer[]],
  context: AskContext,
): Promise<Exchange> {
  const remainingMs = Math.max(1, context.endsAt - performance.now());
  const shareMs = Math.min(FAILOVER_AFTER_MS, remainingMs / (others.length + 1));
  const [next, ...rest] = others;
  const exchange = await askServer(question, server, next ? shareMs : remainingMs, context);
  if (!exchange.failure || !next) return exchange;
  context.log.add('WARN', `${exchange.failure.message}; asking the next name server`);
  return askServers(question, [next, ...rest], context);
}

async function askServer(
  question: Question,
  server: NameServer,
  budgetMs: number,
  { protocol, network, log }: AskContext,
): Promise<Exchange> {
  const marks = startMarks();
  const deadline = new Deadline(budgetMs);
  const endpoint = { address: server.address, port: server.port };
  // The caller has asked for denied ranges already; the machine's own servers are always allowed.
  const context = { network, deadline, deniedRanges: [] };
  const logQuery = (over: string) =>
    log.add(
      'DEBUG',
      `Asking ${endpointText(server)} over ${over} for ${question.name} ${question.recordType}`,
    );
  try {
    if (protocol === 'UDP') {
      logQuery('UDP');
      const asked = await askOverUdp(question, endpoint, deadline, log);
      if (asked.failure || !asked.message.truncated) {
        return { ...asked, server, connectionMs: null };
      }
      log.add('INFO', 'The answer over UDP came truncated');
      marks.startedAt = performance.now();
    }
    logQuery('TCP');
    const asked = await askOverTcp(question, endpoint, context, marks);
    const connectionMs = marks.connectedAt === null ? null : marks.connectedAt - marks.startedAt;
    return { ...asked, server, connectionMs };
  } finally {
    deadline.close();
  }
}
