import { hostname, networkInterfaces } from 'node:os';

/** Addresses that every machine has, as Chromium's patterns. */
const LOOPBACK = ['127.*', '0.0.0.0', '[::]', '[::1]', '[::ffff:*]'];

/**
 * Arguments with which no page of a Chromium reaches the appliance, under whatever name it answers to:
 * for these names on its ports, and on no other port, nothing is found.
 *
 * @param ports of the appliance; 0 is left out
 */
export function closeOwnPorts(ports: ArrayLike<number>): string[] {
  const known = [...new Set(Array.from(ports))].filter((port) => port !== 0);
  if (known.length === 0) return [];
  const rules = known.flatMap((port) => ownNames().map((name) => `MAP ${name}:${port} ~NOTFOUND`));
  return [`--host-resolver-rules=${rules.join(',')}`];
}

function ownNames(): string[] {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const addresses = interfaces.map(({ address, family }) => {
    const [bare = ''] = address.split('%');
    return family === 'IPv6' ? `[${bare}]` : bare;
  });
  const names = ['localhost', '*.localhost', hostname().toLowerCase()];
  const absolute = names.map((name) => `${name}.`);
  return [...new Set([...names, ...absolute, ...LOOPBACK, ...addresses])];
}
