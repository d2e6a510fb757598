import { Resolver } from 'node:dns/promises';
import { ANSWER_WITHIN_MS } from './probe-tcp.ts';

/** What c-ares says where the server did not answer; every other error is an answer. */
const NO_ANSWER: readonly string[] = ['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED', 'EDESTRUCTION'];

/**
 * Whether a name server answers, whatever it says: asked for the name servers of the root, which every
 * resolver knows without asking another.
 *
 * @param server an address, or `address:port`, as `Resolver.getServers` gives them
 */
export async function probeResolver(server: string): Promise<boolean> {
  // Lost packets are sent once more; the timer ends it whatever c-ares makes of its own limits.
  const resolver = new Resolver({ timeout: ANSWER_WITHIN_MS / 2, tries: 2 });
  resolver.setServers([server]);
  const timer = setTimeout(() => resolver.cancel(), ANSWER_WITHIN_MS);
  try {
    await resolver.resolveNs('.');
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw new Error(`Asking ${server} broke`, { cause: error });
    return !NO_ANSWER.includes(code);
  } finally {
    clearTimeout(timer);
  }
}
