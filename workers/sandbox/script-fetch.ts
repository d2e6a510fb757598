import {
  MAX_SCRIPT_BODY_BYTES,
  type ScriptHttpRequest,
  type ScriptHttpResponse,
} from '#shared/sandbox/script-host.ts';
import { bodyText } from '../http/body-text.ts';
import { decodeBody } from '../http/decode-body.ts';
import { follow } from '../http/follow.ts';
import { KeptBody } from '../http/kept-body.ts';
import { buildRequest, type HttpRequest } from '../http/request.ts';
import { Deadline } from '../net/deadline.ts';
import { JobLog } from '../net/job-log.ts';
import type { Network } from '../net/network.ts';
import type { ScriptFetch, ScriptFetchLimits } from './script-job.ts';

type Answer = Awaited<ReturnType<ScriptFetch>>;

/**
 * Makes the requests of scripts over the network of the checks, in both IP families and within the
 * script's limits. A request ends with its script.
 */
export function createScriptFetch(checksNetwork: Network): ScriptFetch {
  const network = eitherFamily(checksNetwork);
  return async (request, limits) => {
    if (Buffer.byteLength(request.body) > MAX_SCRIPT_BODY_BYTES) return tooLarge('request');
    const built = buildRequest({
      ...request,
      headers: pairs(request.headers),
      skipSSL: false,
      ipFamily: 'IPv4',
      bodyType: 'RAW',
      queryParameters: [],
    });
    if (built.failure) return { error: built.failure.message };
    const answer = await send(built.request, request.followRedirects, limits, network);
    return 'error' in answer ? { error: `${asked(built.request)}: ${answer.error}` } : answer;
  };
}

/** What was asked for, without the query: keys stand there. */
function asked({ method, url: { origin, pathname } }: HttpRequest): string {
  return `${method} ${origin}${pathname}`;
}

function pairs(headers: ScriptHttpRequest['headers']) {
  return Object.entries(headers).map(([key, value]) => ({ key, value, locked: false }));
}

async function send(
  request: HttpRequest,
  followRedirects: boolean,
  { timeoutMs, deniedRanges, signal }: ScriptFetchLimits,
  network: Network,
): Promise<Answer> {
  const deadline = new Deadline(timeoutMs);
  const cut = () => deadline.cut();
  if (signal.aborted) cut();
  signal.addEventListener('abort', cut);
  const kept = new KeptBody(network.bodies);
  try {
    const options = {
      family: 'IPv4' as const,
      verify: true,
      followRedirects,
      isSecret: () => false,
      body: { kept, keepBytes: () => MAX_SCRIPT_BODY_BYTES },
      log: new JobLog(),
    };
    const context = { network, deadline, deniedRanges };
    const { response, failure, url } = await follow(request, options, context, performance.now());
    if (!response) return { error: failure?.message ?? 'The request failed' };
    if (response.bodyBytes > MAX_SCRIPT_BODY_BYTES) return tooLarge('response');
    const decoded = await decodeBody(response, network.decoders);
    if (decoded.failure) return { error: decoded.failure.message };
    if (decoded.bytes.length > MAX_SCRIPT_BODY_BYTES) return tooLarge('response');
    return { response: responseOf(response, decoded.bytes, url) };
  } finally {
    signal.removeEventListener('abort', cut);
    kept.release();
    deadline.close();
  }
}

function responseOf(
  { status, statusText, headers }: Pick<ScriptHttpResponse, 'status' | 'statusText' | 'headers'>,
  bytes: Buffer,
  url: URL,
): ScriptHttpResponse {
  const body = bodyText(bytes, headers['content-type']);
  return { status, statusText, headers: { ...headers }, body, url: url.href };
}

function tooLarge(what: 'request' | 'response'): Answer {
  const megabytes = MAX_SCRIPT_BODY_BYTES / 1024 / 1024;
  return { error: `The body of the ${what} is larger than ${megabytes} MB` };
}

/**
 * A network that finds IPv6 addresses too: names and literals are looked up as IPv4 first, and as
 * IPv6 where there is none. Scripts say no family, unlike checks.
 */
function eitherFamily(network: Network): Network {
  return {
    ...network,
    known: (host) => {
      const four = network.known(host, 'IPv4');
      if (four !== null && !four.failure) return four;
      const six = network.known(host, 'IPv6');
      return six === null || six.failure ? four : six;
    },
    resolve: async (host, _family, timeoutMs) => {
      const from = performance.now();
      const four = await network.resolve(host, 'IPv4', timeoutMs);
      if (!four.failure) return four;
      const left = Math.max(1, timeoutMs - (performance.now() - from));
      const six = network.known(host, 'IPv6') ?? (await network.resolve(host, 'IPv6', left));
      return six.failure ? four : six;
    },
  };
}
