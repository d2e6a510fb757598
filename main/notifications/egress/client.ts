import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import { anotherProtocol, type EgressFailure, failureOf, timedOut } from './failure.ts';
import { type EgressPolicy, readTarget, type Vetted, vetHost } from './vet.ts';

interface EgressRequest {
  method: string;
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
 * The one way out for everything but checks (threats 11): resolves the name itself, looks at every
 * address, connects to exactly those, once. What is down or denied is a value.
 */
export class EgressClient {
  readonly #policy: EgressPolicy;

  constructor(policy: EgressPolicy) {
    this.#policy = policy;
  }

  async send(request: EgressRequest): Promise<EgressOutcome> {
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    const signal = AbortSignal.timeout(request.timeoutMs);
    const url = readTarget(request.url);
    if (!(url instanceof URL)) return { ...url, durationMs: durationMs() };
    const vetted = await this.vet(url.hostname, signal);
    if (signal.aborted)
      return { ...timedOut(url.host, request.timeoutMs), durationMs: durationMs() };
    if (vetted.failure !== undefined) return { ...vetted, durationMs: durationMs() };
    try {
      return { ...(await exchange(url, request, { vetted, signal })), durationMs: durationMs() };
    } catch (error) {
      const failure = signal.aborted
        ? timedOut(url.host, request.timeoutMs)
        : failureOf(error, url.host);
      return { ...failure, durationMs: durationMs() };
    }
  }

  /** The addresses of a host that may be connected to: what anything but HTTP asks first. */
  vet(host: string, signal: AbortSignal): Promise<Vetted | EgressFailure> {
    return vetHost(host, this.#policy, signal);
  }
}

interface Way {
  vetted: Vetted;
  signal: AbortSignal;
}

async function exchange(
  url: URL,
  { method, headers, body }: EgressRequest,
  { vetted, signal }: Way,
): Promise<Omit<EgressAnswer, 'durationMs'> | EgressFailure> {
  const options: RequestOptions & { autoSelectFamily: boolean } = {
    method,
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
    // A connection of its own, closed afterwards: none is ever shared with another channel.
    agent: false,
    lookup: pinnedLookup(vetted.addresses),
    autoSelectFamily: true,
    signal,
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage | null>();
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = start(url, options, resolve);
  request.on('error', reject);
  // Without a listener Node closes the connection and says nothing of it, ever.
  request.on('upgrade', (_response, socket) => {
    socket.destroy();
    resolve(null);
  });
  // Bytes: Node would write the headers in the encoding of a text that follows them.
  request.end(body === undefined ? undefined : Buffer.from(body, 'utf8'));
  const response = await promise;
  if (response === null) return anotherProtocol(url.host);
  const text = await boundedText(response);
  const retryAfterMs = retryAfterOf(response.headers['retry-after']);
  return {
    status: response.statusCode ?? 0,
    body: text,
    ...(retryAfterMs !== null && { retryAfterMs }),
  };
}

/** Gives a connection the addresses that were looked at, whatever the name says by now. */
function pinnedLookup(addresses: readonly [string, ...string[]]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, entries);
    else callback(null, first, isIP(first));
  };
}

/**
 * The first bytes of a body as text; the connection is closed where there are more. Of a body that
 * breaks off, what came: the status is the answer, and who was told is not to be told again.
 */
async function boundedText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop destroys the response, and with it the connection.
      if (length >= MAX_ANSWER_BYTES) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8');
}

const MAX_RETRY_AFTER_S = 3_600;

/** `Retry-After` in its form of seconds; the dates of other clocks are not trusted. */
function retryAfterOf(header: string | undefined): number | null {
  if (header === undefined || !/^\d{1,9}(?:\.\d+)?$/.test(header)) return null;
  return Math.min(Number(header), MAX_RETRY_AFTER_S) * 1_000;
}
