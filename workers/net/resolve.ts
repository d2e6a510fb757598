import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { type NetworkFailure, timeoutFailure } from './failure.ts';
import { findInHosts, HOSTS_FILE, readHostsFile } from './hosts-file.ts';

export type IpFamily = 'IPv4' | 'IPv6';

export interface ResolvedHost {
  address: string;
  family: IpFamily;
}

export interface ResolveOptions {
  /** Milliseconds that a query to the name servers may take; more than 0. */
  timeoutMs: number;
  /** Name servers as `address` or `address:port`; the system's own by default. */
  nameServers?: readonly string[];
  /** Path of the hosts file; the system's own by default. */
  hostsFile?: string;
}

/** An address, or why there is none: INVALID_TARGET, DNS_FAILURE or TIMEOUT_DNS. */
export type Resolution =
  | { address: string; family: IpFamily; failure?: undefined }
  | { failure: NetworkFailure };

const VERSIONS = { IPv4: 4, IPv6: 6 } as const satisfies { [F in IpFamily]: 4 | 6 };
const LOOPBACK = { IPv4: '127.0.0.1', IPv6: '::1' } as const satisfies { [F in IpFamily]: string };

/** Characters of a name with its dots (RFC 1035, 2.3.4). */
const MAX_NAME_CHARS = 253;

/** What may stand in a name that is resolved; underscores are no host names, and met. */
const HOST_NAME = /^[a-z0-9_-][a-z0-9._-]{0,252}$/;

/**
 * The address of a host name or literal (`[::1]` may keep its brackets) in the IP family asked for.
 * Literals, `localhost` (RFC 6761) and the system's hosts file are answered here, everything else
 * by the name servers through c-ares: getaddrinfo would queue behind four threads.
 */
export async function resolveHost(
  host: string,
  family: IpFamily,
  options: ResolveOptions,
): Promise<Resolution> {
  return knownHost(host, family, options) ?? queryNameServers(host, family, options);
}

/** Answers without the network what can be; null where the name servers have to be asked. */
export function knownHost(
  host: string,
  family: IpFamily,
  options: Pick<ResolveOptions, 'hostsFile'>,
): Resolution | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  if (isIP(bare) !== 0) return ofFamily(bare, family);
  const name = domainToASCII(bare).replace(/\.$/, '');
  // The ASCII form of names such as 0x7f.1 is an address: what is asked for is what is checked.
  if (isIP(name) !== 0) return ofFamily(name, family);
  if (!HOST_NAME.test(name)) return invalid(host, 'ERR_INVALID_HOST_NAME', 'is not a host name');
  if (name === 'localhost' || name.endsWith('.localhost')) {
    return { address: LOOPBACK[family], family };
  }
  const address = findInHosts(
    readHostsFile(options.hostsFile ?? HOSTS_FILE),
    name,
    VERSIONS[family],
  );
  return address === null ? null : { address, family };
}

function ofFamily(address: string, family: IpFamily): Resolution {
  if (isIP(address) === VERSIONS[family]) return { address, family };
  return invalid(address, 'ERR_INVALID_IP_ADDRESS', `is not an ${family} address`);
}

function invalid(host: string, code: string, reason: string): Resolution {
  if (host.length > MAX_NAME_CHARS) {
    const message = `The host name is longer than ${MAX_NAME_CHARS} characters`;
    return { failure: { cause: 'INVALID_TARGET', code, message } };
  }
  return {
    failure: { cause: 'INVALID_TARGET', code, hostname: host, message: `${host} ${reason}` },
  };
}

async function queryNameServers(
  host: string,
  family: IpFamily,
  { timeoutMs, nameServers }: ResolveOptions,
): Promise<Resolution> {
  // A resolver of its own for each query: it reads the system's settings as they now are (33 µs),
  // and cancelling it at the deadline touches nobody else's query.
  const resolver = new Resolver({ timeout: 2_000, tries: 3 });
  if (nameServers) resolver.setServers(nameServers);
  const name = domainToASCII(host);
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const addresses = await (family === 'IPv4' ? resolver.resolve4(name) : resolver.resolve6(name));
    const address = addresses[0];
    return address === undefined ? unresolved(name, family, 'ENODATA') : { address, family };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw new Error(`Resolving ${name} broke`, { cause: error });
    return unresolved(name, family, code, timeoutMs);
  } finally {
    clearTimeout(timer);
  }
}

/** `ECANCELLED` is our own deadline, `ETIMEOUT` name servers that gave no answer in their time. */
function unresolved(name: string, family: IpFamily, code: string, timeoutMs = 0): Resolution {
  const syscall = family === 'IPv4' ? 'queryA' : 'queryAaaa';
  if (code === 'ECANCELLED') {
    return { failure: { ...timeoutFailure('DNS', timeoutMs), syscall, hostname: name } };
  }
  const message =
    code === 'ETIMEOUT'
      ? `The name servers did not answer for ${name} (ETIMEOUT)`
      : `The name ${name} does not resolve to an ${family} address (${code})`;
  const cause = code === 'ETIMEOUT' ? 'TIMEOUT_DNS' : 'DNS_FAILURE';
  return { failure: { cause, code, syscall, hostname: name, message } };
}
