import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** All addresses of a host name; none where it has none. Rejects where nobody could be asked. */
export type ResolveAll = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Codes of name servers that answered: there is no such name, or it has no such record. */
const NO_ADDRESS: readonly string[] = ['ENOTFOUND', 'ENODATA'];
/** Then the hosts file or the local network may still know the name. */
const UNKNOWN: readonly string[] = [...NO_ADDRESS, 'ECONNREFUSED', 'ESERVFAIL', 'EBADNAME'];

/**
 * Asks the name servers, then, for a name that they do not know, the system: the hosts file and the
 * names of the local network. In this order and there one at a time, as the system's own lookup
 * takes one of four threads that files wait for as well.
 *
 * @param nameServers as `address:port`; the system's own by default
 */
export function systemResolver(nameServers?: readonly string[]): ResolveAll {
  let before: Promise<unknown> = Promise.resolve();
  const inTurn = (host: string) => {
    const turn = before.then(() => askSystem(host));
    before = Promise.allSettled([turn]);
    return turn;
  };
  return async (host, signal) => {
    if (isIP(host) !== 0) return [host];
    if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const asked = await askNameServers(host, signal, nameServers);
    return asked.length > 0 ? asked : Promise.race([inTurn(host), cancelled(signal)]);
  };
}

async function askNameServers(
  host: string,
  signal: AbortSignal,
  nameServers: readonly string[] | undefined,
): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 3 });
  if (nameServers) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const reasons = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    // One family may fail where the other answers.
    const [broken] = reasons.filter((reason) => !UNKNOWN.includes(codeOf(reason)));
    if (addresses.length === 0 && broken !== undefined) throw broken;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function askSystem(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    if (NO_ADDRESS.includes(codeOf(error))) return [];
    throw error;
  }
}

/** Rejects when the signal is aborted, as the name servers' queries do. */
function cancelled(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const give = () =>
    reject(Object.assign(new Error('Resolving was cancelled'), { code: 'ECANCELLED' }));
  if (signal.aborted) give();
  else signal.addEventListener('abort', give, { once: true });
  return promise;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
