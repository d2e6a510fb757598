import { isIP } from 'node:net';
import type { RunFailure } from '#shared/runs/protocol.ts';
import { isDenied } from '../net/denied.ts';
import type { Network } from '../net/network.ts';
import type { Resolution } from '../net/resolve.ts';
import type { RunRequestOf } from '../net/runner.ts';
import type { Endpoint } from './query.ts';

/** A name server to ask: as configured, and where it is. */
export interface NameServer extends Endpoint {
  name: string;
}

/** The servers to ask, in order, and what it took to resolve the name of one; or why there are none. */
export type NameServers =
  | {
      servers: readonly [NameServer, ...NameServer[]];
      lookupMs: number | null;
      failure?: undefined;
    }
  | { failure: RunFailure };

const DNS_PORT = 53;

/** `host`, `host:port`, an address, `[address]` or `[address]:port`. */
export function parseServer(text: string): { host: string; port: number | null } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? text;
  return { host, port: port === undefined ? null : Number(port) };
}

/** The machine's own name servers, as `dns.getServers()` lists them. */
export function systemServers(listed: readonly string[]): NameServers {
  const [first, ...others] = listed.map((text) => {
    const { host, port } = parseServer(text);
    return { name: host, address: host, port: port ?? DNS_PORT };
  });
  if (first) return { servers: [first, ...others], lookupMs: null };
  const message = 'This machine has no name server configured, and the check names none';
  return { failure: { cause: 'INTERNAL', message } };
}

/**
 * The one name server that a check names. A name is resolved first, to an IPv4 address where it has
 * one; `port` goes before a port behind the name.
 */
export async function customServer(
  nameServer: string,
  { check, deniedRanges }: RunRequestOf<'DNS'>,
  network: Network,
  timeoutMs: number,
): Promise<NameServers> {
  const { host, port: writtenPort } = parseServer(nameServer);
  const port = check.request.port ?? writtenPort ?? DNS_PORT;
  if (port < 1 || port > 65_535) return invalidPort(nameServer);
  const startedAt = performance.now();
  const resolution = await resolve(host, network, timeoutMs);
  if (resolution.failure) return { failure: resolution.failure };
  const { address } = resolution;
  if (isDenied(address, deniedRanges)) {
    const message = `The operator of this appliance denies checks to ${address}`;
    return { failure: { cause: 'DENIED_TARGET', message } };
  }
  const server = { name: host, address, port };
  return { servers: [server], lookupMs: isIP(host) ? null : performance.now() - startedAt };
}

function invalidPort(nameServer: string): NameServers {
  const message = `The port of the name server “${nameServer}” is not between 1 and 65535`;
  return { failure: { cause: 'INVALID_TARGET', message } };
}

async function resolve(host: string, network: Network, timeoutMs: number): Promise<Resolution> {
  if (isIP(host) === 6) return network.resolve(host, 'IPv6', timeoutMs);
  const startedAt = performance.now();
  const resolution = await network.resolve(host, 'IPv4', timeoutMs);
  if (resolution.failure?.cause !== 'DNS_FAILURE') return resolution;
  const remainingMs = timeoutMs - (performance.now() - startedAt);
  if (remainingMs < 1) return resolution;
  const overIPv6 = await network.resolve(host, 'IPv6', remainingMs);
  return overIPv6.failure ? resolution : overIPv6;
}
