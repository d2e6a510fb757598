import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Private addresses that may be reached as well: all of them, or those in CIDR ranges. */
export type PrivateEgress = true | readonly string[];

/** How an IPv6-only network reaches IPv4 hosts (RFC 6052): the last four bytes are their address. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/**
 * What keeps an address from being reached, as `private`, `loopback` or `linkLocal`; null where it
 * may be. Only global unicast is public, so that whatever else a registry knows, now
 * or later, is denied: CGNAT, multicast, unique local, IPv4-mapped, 6to4 and the rest.
 */
export function deniedKind(address: string, allowed: PrivateEgress): string | null {
  const parsed = ipaddr.parse(address);
  const meant = meaningOf(parsed);
  const isMapped = parsed.range() === 'ipv4Mapped';
  const kind = isMapped ? 'ipv4Mapped' : meant.range();
  if (kind === 'unicast' || allowed === true) return null;
  return allowed.some((range) => isIn(meant, range) || isIn(parsed, range)) ? null : kind;
}

/** IPv6 addresses that some systems take for the IPv4 one at their end (RFC 4291, 2.5.5.1). */
const IPV4_COMPATIBLE = ipaddr.parseCIDR('::/96');

/** The address that another one reaches: the IPv4 one inside it, or itself. */
function meaningOf(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const isCompatible = address.range() === 'unicast' && address.match(IPV4_COMPATIBLE);
  if (isCompatible || address.match(NAT64)) return new ipaddr.IPv4(address.toByteArray().slice(-4));
  return address;
}

function isIn(address: Address, range: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(range);
  return address.kind() === network.kind() && address.match(network, bits);
}
