import type { HttpConnection } from '#shared/results/details.ts';
import type { PeerCertificate, RunFailure } from '#shared/runs/protocol.ts';
import { type DialContext, dial, type Marks, startMarks } from '../net/dial.ts';
import type { JobLog } from '../net/job-log.ts';
import { toMicroseconds } from '../net/milliseconds.ts';
import type { IpFamily } from '../net/resolve.ts';
import { type BodyKeeping, type Exchanged, exchange, type HttpResponse } from './exchange.ts';
import { MAX_REDIRECTS, redirectionOf } from './redirect.ts';
import type { HttpRequest } from './request.ts';
import type { HeaderField } from './request-headers.ts';
import { addPhases, NO_PHASES, phasesOf, type TimingPhases } from './timings.ts';

export interface FollowOptions {
  family: IpFamily;
  /** Whether certificates are verified. */
  verify: boolean;
  followRedirects: boolean;
  /** Whether a header field must not follow a redirect to another origin. */
  isSecret: (field: HeaderField) => boolean;
  body: BodyKeeping;
  log: JobLog;
}

/** What came of a request and the redirects after it: a response or a failure. */
export interface Followed {
  /** The URL of the last request. */
  url: URL;
  response: HttpResponse | null;
  failure: RunFailure | null;
  /** Of all exchanges together. */
  phases: TimingPhases;
  /** Of the first connection over TLS; null where there was none. */
  certificate: PeerCertificate | null;
  /** Of the last request. */
  connection: HttpConnection;
}

/**
 * Makes a request, follows where it leads, and measures the whole. Every hop is resolved anew,
 * compared with the denied ranges and made over a connection of its own.
 *
 * @param from reading of `performance.now()` at the start of the run
 */
export async function follow(
  first: HttpRequest,
  options: FollowOptions,
  context: DialContext,
  from: number,
): Promise<Followed> {
  let request = first;
  let phases = NO_PHASES;
  let certificate: PeerCertificate | null = null;
  for (let redirects = 0; ; redirects++) {
    const marks = startMarks();
    const exchanged = await hop(request, options, context, marks);
    phases = addPhases(phases, phasesOf(marks, from + phases.total));
    certificate ??= marks.certificate;
    const found = { url: request.url, phases, certificate, connection: connectionOf(marks) };
    if (exchanged.failure) return { ...found, response: null, failure: exchanged.failure };
    const { response } = exchanged;
    const { followRedirects, isSecret } = options;
    const next = followRedirects ? redirectionOf(request, response, isSecret) : null;
    if (next === null) return { ...found, response, failure: null };
    if (next.failure) return { ...found, response: null, failure: next.failure };
    if (redirects === MAX_REDIRECTS) {
      return { ...found, response: null, failure: tooMany(next.request.url) };
    }
    options.log.add('INFO', `${response.status} redirects to ${next.request.url.href}`);
    request = next.request;
  }
}

function connectionOf({ address, connectedAt, securedAt, certificate }: Marks): HttpConnection {
  const isSecured = connectedAt !== null && securedAt !== null;
  return {
    address,
    tlsMs: isSecured ? toMicroseconds(securedAt - connectedAt) : null,
    certificate: certificate && {
      domain: certificate.domain,
      notAfter: new Date(certificate.notAfter).toISOString(),
    },
  };
}

function tooMany(url: URL): RunFailure {
  const message = `More than ${MAX_REDIRECTS} redirects, the next one to ${url.href}`;
  return { cause: 'TOO_MANY_REDIRECTS', message };
}

async function hop(
  request: HttpRequest,
  { family, verify, body, log }: FollowOptions,
  context: DialContext,
  marks: Marks,
): Promise<Exchanged> {
  log.add('DEBUG', `${request.method} ${request.url.href} over ${family}`);
  const { url } = request;
  const isTls = url.protocol === 'https:';
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  const port = Number(url.port || (isTls ? 443 : 80));
  const dialled = await dial(
    { host, port, family, tls: isTls ? { verify } : null },
    context,
    marks,
  );
  const exchanged = dialled.failure
    ? dialled
    : await exchange(dialled.socket, request, body, context.deadline, marks);
  marks.endedAt ??= performance.now();
  log.add('DEBUG', account(marks, port));
  return exchanged;
}

/** How far an exchange came, and what each part of it took. */
function account(marks: Marks, port: number): string {
  const { dns, tcp, firstByte, download } = phasesOf(marks, marks.startedAt);
  const parts = [`lookup ${dns.toFixed(2)} ms`];
  if (marks.address !== null)
    parts.push(`connecting to ${marks.address} port ${port} ${tcp.toFixed(2)} ms`);
  if (marks.connectedAt !== null) parts.push(`first byte ${firstByte.toFixed(2)} ms`);
  if (marks.respondedAt !== null) parts.push(`download ${download.toFixed(2)} ms`);
  return parts.join(', ');
}
