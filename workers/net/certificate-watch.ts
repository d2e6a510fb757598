import type { PeerCertificate, RunResult } from '#shared/runs/protocol.ts';
import { Deadline } from './deadline.ts';
import { type DialContext, dial, startMarks } from './dial.ts';
import { abandon } from './listeners.ts';
import { type Network, SYSTEM_NETWORK } from './network.ts';
import type { Runner, RunRequestOf } from './runner.ts';

/** How old what is known of a certificate may be. */
const HOUR_MS = 3_600_000;
const TIMEOUT_MS = 10_000;
/** Most hosts that are remembered: far more than checks of browsers run within an hour. */
const MAX_HOSTS = 1_000;
const HTTPS_PORT = 443;

interface Seen {
  certificate: PeerCertificate;
  /** Epoch ms. */
  at: number;
}

/**
 * Watches the certificates of the hosts that browser checks name, since the connections of a browser do not
 * tell of theirs. A host is asked once an hour, by a TLS handshake of our own beside the run.
 */
export class CertificateWatch {
  readonly #network: Network;
  readonly #now: () => number;
  /** By what the check names; the longest known first. */
  readonly #seen = new Map<string, Seen>();

  constructor(network: Network = SYSTEM_NETWORK, now: () => number = Date.now) {
    this.#network = network;
    this.#now = now;
  }

  /** A run of a browser check, whose result has the certificate of the host that the check names. */
  async during(request: RunRequestOf<'BROWSER'>, runner: Runner<'BROWSER'>): Promise<RunResult> {
    const [result, certificate] = await Promise.all([
      runner(request),
      this.#certificateOf(request),
    ]);
    return certificate === null ? result : { ...result, certificate };
  }

  /** What was seen last, where the host does not answer now; null where it never did, or none is named. */
  async #certificateOf({ check, deniedRanges }: RunRequestOf<'BROWSER'>) {
    const host = check.sslCheckDomain?.trim();
    if (!host) return null;
    const known = this.#seen.get(host);
    if (known !== undefined && this.#now() - known.at < HOUR_MS) return known.certificate;
    const certificate = await this.#ask(host, deniedRanges);
    if (certificate === null) return known?.certificate ?? null;
    this.#remember(host, { certificate, at: this.#now() });
    return certificate;
  }

  async #ask(named: string, deniedRanges: readonly string[]): Promise<PeerCertificate | null> {
    const url = URL.parse(named.includes('://') ? named : `https://${named}`);
    if (!url?.hostname) return null;
    const deadline = new Deadline(TIMEOUT_MS);
    const context = { network: this.#network, deadline, deniedRanges };
    try {
      return (await shakeHands(url, 'IPv4', context)) ?? (await shakeHands(url, 'IPv6', context));
    } finally {
      deadline.close();
    }
  }

  #remember(host: string, seen: Seen): void {
    this.#seen.delete(host);
    this.#seen.set(host, seen);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_HOSTS && oldest !== undefined) this.#seen.delete(oldest);
  }
}

/** Whether a certificate is trusted does not matter here: it is watched for its end. */
async function shakeHands(
  { hostname, port }: URL,
  family: 'IPv4' | 'IPv6',
  context: DialContext,
): Promise<PeerCertificate | null> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const marks = startMarks();
  const target = { host, port: Number(port) || HTTPS_PORT, family, tls: { verify: false } };
  const dialled = await dial(target, context, marks);
  if (!dialled.failure) abandon(dialled.socket);
  return marks.certificate;
}
