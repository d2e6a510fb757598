import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { PeerCertificate } from '#shared/runs/protocol.ts';
import type { Deadline } from './deadline.ts';
import { isDenied } from './denied.ts';
import { type NetworkFailure, socketFailure } from './failure.ts';
import { abandon, listen } from './listeners.ts';
import type { Network } from './network.ts';
import type { IpFamily } from './resolve.ts';

/** Whom to reach. `host` is a name or a literal address, without brackets. */
export interface DialTarget {
  host: string;
  port: number;
  family: IpFamily;
  /** Null for plain TCP; `verify: false` takes any certificate (skipSSL). */
  tls: { verify: boolean } | null;
}

/** What a dial stands on. */
export interface DialContext {
  network: Network;
  deadline: Deadline;
  /** CIDR ranges that the operator denies to checks. */
  deniedRanges: readonly string[];
}

/**
 * Readings of `performance.now()`, in milliseconds, written as an exchange passes each point; null
 * for a point that it never reached. `address` is what the name resolved to, `certificate` what the
 * other side showed, trusted or not. `securedAt` is the end of a TLS handshake.
 */
export interface Marks {
  startedAt: number;
  lookedUpAt: number | null;
  connectedAt: number | null;
  securedAt: number | null;
  respondedAt: number | null;
  endedAt: number | null;
  address: string | null;
  certificate: PeerCertificate | null;
}

/** Fresh marks of something that starts now. */
export function startMarks(): Marks {
  return {
    startedAt: performance.now(),
    lookedUpAt: null,
    connectedAt: null,
    securedAt: null,
    respondedAt: null,
    endedAt: null,
    address: null,
    certificate: null,
  };
}

/** A connected (and, with TLS, secured) socket, or why there is none. */
export type Dialled = { socket: Socket; failure?: undefined } | { failure: NetworkFailure };

/**
 * Resolves, asks whether the address is denied, connects and, with TLS, shakes hands, all before
 * the deadline. Opens a new connection every time: what it takes is what is measured. The socket
 * belongs to the caller; on a failure nothing stays open.
 */
export async function dial(
  target: DialTarget,
  context: DialContext,
  marks: Marks,
): Promise<Dialled> {
  const { network, deadline, deniedRanges } = context;
  const resolution =
    network.known(target.host, target.family) ??
    (await network.resolve(target.host, target.family, deadline.remainingMs));
  marks.lookedUpAt = performance.now();
  // The lookup is where it ended: what follows took no time.
  const stop = (failure: NetworkFailure): Dialled => {
    marks.endedAt = marks.lookedUpAt;
    return { failure };
  };
  if (resolution.failure) return stop(resolution.failure);
  marks.address = resolution.address;
  if (isDenied(resolution.address, deniedRanges)) return stop(denied(target, resolution.address));
  return connect(target, resolution.address, context, marks);
}

function denied({ host, port }: DialTarget, address: string): NetworkFailure {
  const message = `The operator of this appliance denies checks to ${address}`;
  return { cause: 'DENIED_TARGET', code: 'DENIED', hostname: host, address, port, message };
}

function connect(
  target: DialTarget,
  address: string,
  { network, deadline }: DialContext,
  marks: Marks,
): Promise<Dialled> {
  return new Promise((resolve) => {
    const where = `${isIP(address) === 6 ? `[${address}]` : address}:${target.port}`;
    const socket = open(target, address, network);
    const finishDial = (dialled: Dialled) => {
      deadline.leave();
      stopListening();
      resolve(dialled);
    };
    const fail = (failure: NetworkFailure) => {
      finishDial({ failure: { address, port: target.port, ...failure } });
      abandon(socket);
    };
    const connected = () => {
      marks.connectedAt = performance.now();
      if (target.tls) deadline.enter('TLS', fail);
      else finishDial({ socket });
    };
    const secured = () => {
      marks.securedAt = performance.now();
      const distrust = inspect(socket as TLSSocket, target, marks);
      if (distrust === null) finishDial({ socket });
      else fail(socketFailure(distrust, where));
    };
    const stopListening = listen(socket, {
      connect: connected,
      secureConnect: secured,
      error: (error) => fail(socketFailure(error, where)),
    });
    deadline.enter('CONNECT', fail);
  });
}

/**
 * Notes the certificate, and answers why the connection is not to be trusted where that is asked
 * for; null where it may be used. Node is told to leave the verdict to us, since it takes the
 * connection away together with a certificate that it refuses.
 */
function inspect(socket: TLSSocket, { host, tls }: DialTarget, marks: Marks): Error | null {
  marks.certificate = certificateOf(socket, host);
  if (!tls?.verify || socket.authorized) return null;
  // What Node calls an error here is its code.
  const code = String(socket.authorizationError);
  return Object.assign(new Error('The certificate is refused'), { code });
}

/** 50 µs beside a handshake of a millisecond. Null where a server without a certificate is met. */
function certificateOf(socket: TLSSocket, host: string): PeerCertificate | null {
  const notAfter = Date.parse(socket.getPeerCertificate().valid_to);
  return Number.isNaN(notAfter) ? null : { domain: host.toLowerCase(), notAfter };
}

function open(
  { host, port, tls }: DialTarget,
  address: string,
  network: Network,
): Socket | TLSSocket {
  if (!tls) return connectTcp({ host: address, port, allowHalfOpen: true });
  const name = host.replace(/\.$/, '');
  return connectTls({
    host: address,
    port,
    // Node checks the certificate against the server name, or the address where there is none: an
    // address is no server name (RFC 6066 section 3).
    servername: isIP(name) === 0 ? name : '',
    // Judged once the handshake is done: see inspect.
    rejectUnauthorized: false,
    secureContext: network.trust,
    ALPNProtocols: ['http/1.1'],
  });
}
