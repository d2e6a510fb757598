import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Whether an address lies in one of the operator's CIDR ranges. An address that reaches another one
 * is judged as both: IPv4 inside IPv6 (mapped, NAT64), and the unspecified address, which systems
 * connect to loopback. Throws on a malformed range or address: settings and resolver checked them.
 */
export function isDenied(address: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return false;
  const meanings = meaningsOf(ipaddr.parse(address));
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return meanings.some(
      (meaning) => meaning.kind() === network.kind() && meaning.match(network, bits),
    );
  });
}

function meaningsOf(address: Address): Address[] {
  if (address.range() === 'unspecified') {
    return [address, ipaddr.parse('127.0.0.1'), ipaddr.parse('::1')];
  }
  if (address instanceof ipaddr.IPv4) return [address];
  if (address.isIPv4MappedAddress()) return [address, ...meaningsOf(address.toIPv4Address())];
  if (address.range() === 'rfc6052') {
    return [address, ...meaningsOf(new ipaddr.IPv4(address.toByteArray().slice(-4)))];
  }
  return [address];
}
