import { isIP, type LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Agent, Dispatcher } from 'undici';
import { type EgressFailure, failureOf, timedOut } from './failure.ts';
import { type EgressPolicy, readTarget, type Vetted, vetHost } from './vet.ts';

interface EgressRequest {
  method: Dispatcher.HttpMethod;
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** None where it is left out. */
  body?: string;
  /** For everything: the name, the connection, the answer. */
  timeoutMs: number;
}

/** An answer of any status; redirects are not followed. */
interface EgressAnswer {
  failure?: undefined;
  status: number;
  durationMs: number;
  /** Milliseconds that the receiver asks to wait for. */
  retryAfterMs?: number;
  /** The first 64 KB. */
  body: string;
}

export type EgressOutcome = EgressAnswer | (EgressFailure & { durationMs: number });

const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * The one way out for everything but checks: resolves the name itself, looks at every address, and
 * connects to exactly those, once. What is down or denied is a value.
 */
export class EgressClient {
  readonly #policy: EgressPolicy;

  constructor(policy: EgressPolicy) {
    this.#policy = policy;
  }

  async send(request: EgressRequest): Promise<EgressOutcome> {
    const startedAt = performance.now();
    const outcome = await this.#send(request, AbortSignal.timeout(request.timeoutMs));
    return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
  }

  /** The addresses of a host that may be connected to: what anything but HTTP asks first. */
  vet(host: string, signal: AbortSignal): Promise<Vetted | EgressFailure> {
    return vetHost(host, this.#policy, signal);
  }

  async #send(
    request: EgressRequest,
    signal: AbortSignal,
  ): Promise<Omit<EgressAnswer, 'durationMs'> | EgressFailure> {
    const url = readTarget(request.url);
    if (!(url instanceof URL)) return url;
    const late = () => timedOut(url.host, request.timeoutMs);
    const vetted = await this.vet(url.hostname, signal);
    if (signal.aborted) return late();
    if (vetted.failure !== undefined) return vetted;
    const agent = await pinnedAgent(vetted, request.timeoutMs);
    try {
      return await exchange(url, request, { agent, signal });
    } catch (error) {
      return signal.aborted ? late() : failureOf(error, url.host);
    } finally {
      await agent.destroy();
    }
  }
}

/** How long after the deadline a connection that nobody waits for any more is closed. */
const CONNECT_SLACK_MS = 1_000;

/**
 * Connects only to addresses that were looked at, whatever the name says by now. It is of one request,
 * and so is its connection: none is ever shared with another channel.
 */
async function pinnedAgent({ addresses }: Vetted, timeoutMs: number): Promise<Agent> {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, _options, callback) => callback(null, entries);
  // Loaded by the first send: the library takes 15 MB and 40 ms, which a start does not need.
  const { Agent } = await import('undici');
  return new Agent({
    // No keep-alive.
    pipelining: 0,
    // The deadline is that of the request, for everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { lookup, autoSelectFamily: true, timeout: timeoutMs + CONNECT_SLACK_MS },
  });
}

/** Lower-case names of headers that the library sends nothing with. */
const REFUSED_HEADERS: ReadonlySet<string> = new Set(['expect', 'keep-alive']);

async function exchange(
  url: URL,
  { method, headers, body }: EgressRequest,
  { agent, signal }: { agent: Agent; signal: AbortSignal },
): Promise<Omit<EgressAnswer, 'durationMs'>> {
  const response = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: Object.entries(headers ?? {})
      .filter(([name]) => !REFUSED_HEADERS.has(name))
      .flat(),
    body: body ?? null,
    signal,
  });
  const text = await boundedText(response.body);
  const retryAfterMs = retryAfterOf(response.headers['retry-after']);
  return {
    status: response.statusCode,
    body: text,
    ...(retryAfterMs !== null && { retryAfterMs }),
  };
}

/**
 * The first bytes of a body as text; the connection is closed where there are more. Of a body that
 * breaks off, what came: the status is the answer, and the message is not to be sent twice.
 */
async function boundedText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop destroys the body, and with it the connection.
      if (length >= MAX_ANSWER_BYTES) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8');
}

const MAX_RETRY_AFTER_S = 3_600;

/** `Retry-After` in its form of seconds; the dates of other clocks are not trusted. */
function retryAfterOf(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string' || !/^\d{1,9}(?:\.\d+)?$/.test(header)) return null;
  return Math.min(Number(header), MAX_RETRY_AFTER_S) * 1_000;
}
