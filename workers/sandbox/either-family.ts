import type { Network } from '../net/network.ts';

/**
 * A network that finds IPv6 addresses too: names and literals are looked up as IPv4 first, and as
 * IPv6 where there is none. Scripts say no family, unlike checks.
 */
export function eitherFamily(network: Network): Network {
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
