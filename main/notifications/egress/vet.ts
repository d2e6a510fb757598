import { deniedKind, type PrivateEgress } from './addresses.ts';
import type { EgressFailure } from './failure.ts';
import type { ResolveAll } from './resolver.ts';

/** Whom the appliance may send to. */
export interface EgressPolicy {
  allowPrivate: PrivateEgress;
  resolve: ResolveAll;
}

/** Addresses that may be connected to; never empty. Nothing is resolved again after this. */
export type Vetted = { addresses: readonly [string, ...string[]]; failure?: undefined };

/** A name that has more is no receiver of messages. */
const MAX_ADDRESSES = 16;

/**
 * Resolves a host once and looks at every address. One that is not allowed denies the
 * host as a whole: which of them is connected to is for the network to say.
 *
 * @param host as a URL has it, so that octal and hexadecimal addresses are plain ones already
 */
export async function vetHost(
  host: string,
  { allowPrivate, resolve }: EgressPolicy,
  signal: AbortSignal,
): Promise<Vetted | EgressFailure> {
  const name = host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  const addresses = await addressesOf(name, resolve, signal);
  if ('failure' in addresses) return addresses;
  for (const address of addresses) {
    const kind = deniedKind(address, allowPrivate);
    if (kind !== null) return denied(host, address, kind);
  }
  const [first, ...others] = addresses.slice(0, MAX_ADDRESSES);
  if (first === undefined) return unresolved(host, 'it has no address');
  return { addresses: [first, ...others] };
}

async function addressesOf(
  name: string,
  resolve: ResolveAll,
  signal: AbortSignal,
): Promise<readonly string[] | EgressFailure> {
  try {
    return await resolve(name, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw new Error(`Resolving ${name} broke`, { cause: error });
    return unresolved(name, code);
  }
}

function unresolved(host: string, why: string): EgressFailure {
  return { failure: 'DNS_FAILURE', message: `The name ${host} does not resolve (${why})` };
}

function denied(host: string, address: string, kind: string): EgressFailure {
  const shown = host === address ? host : `${host} (${address})`;
  const message = `${shown} is not a public address (${kind}); WATCHPOST_ALLOW_PRIVATE_EGRESS allows more`;
  return { failure: 'DENIED_ADDRESS', message };
}

/** The parts of a URL that may be sent to; http and https only, and no `user:pass@`. */
export function readTarget(text: string): URL | EgressFailure {
  if (!URL.canParse(text)) return invalid('it is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return invalid('it is not http or https');
  if (url.username !== '' || url.password !== '')
    return invalid('it holds a user name or password');
  return url;
}

function invalid(why: string): EgressFailure {
  return { failure: 'INVALID_URL', message: `The URL cannot be sent to: ${why}` };
}
