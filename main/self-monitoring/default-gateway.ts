import { execFile } from 'node:child_process';
import { isIP } from 'node:net';
import { readIfThere } from '#main/platform/read-if-there.ts';

const ROUTE_FILE = '/proc/net/route';
const ROUTE_FILE_V6 = '/proc/net/ipv6_route';
const COMMAND_MS = 1_000;

/** The addresses of this machine's default gateways; none where it has none, or none can be found. */
export async function defaultGateways(): Promise<string[]> {
  if (process.platform !== 'linux') return gatewaysInTable(await netstat());
  const [v4, v6] = await Promise.all([readIfThere(ROUTE_FILE), readIfThere(ROUTE_FILE_V6)]);
  return [...gatewaysInRouteFile(v4), ...gatewaysInRouteFileV6(v6)];
}

/** Reads `/proc/net/route`: hexadecimal numbers in the byte order of a little-endian machine. */
export function gatewaysInRouteFile(text: string): string[] {
  const addresses = rowsOf(text)
    .filter(
      ([, destination, gateway, , , , , mask]) =>
        [destination, mask].every((word) => word === NOWHERE) && gateway !== NOWHERE,
    )
    .map(([, , gateway = '']) => [...Buffer.from(gateway, 'hex')].reverse().join('.'));
  return unique(addresses);
}

const NOWHERE = '00000000';

/** Reads `/proc/net/ipv6_route`; the gateway is mostly link-local and needs the interface's name. */
export function gatewaysInRouteFileV6(text: string): string[] {
  const addresses = rowsOf(text).flatMap((row) => {
    const [destination = '', bits, , , gateway = ''] = row;
    const isDefault = /^0+$/.test(destination) && bits === '00' && !/^0*$/.test(gateway);
    if (!isDefault) return [];
    const address = (gateway.match(/.{4}/g) ?? []).join(':');
    return [/^fe[89ab]/.test(gateway) ? `${address}%${row.at(-1)}` : address];
  });
  return unique(addresses);
}

/**
 * Reads what `netstat -rn` prints on macOS, the BSDs and Windows: a line for the default route, with
 * the gateway in its second or, after a mask, its third column.
 */
export function gatewaysInTable(text: string): string[] {
  const addresses = rowsOf(text).flatMap(([destination = '', ...columns]) => {
    if (destination !== 'default' && destination !== '0.0.0.0') return [];
    const gateway = columns.slice(0, 2).find((word) => isIP(word) !== 0 && word !== '0.0.0.0');
    return gateway === undefined ? [] : [gateway];
  });
  return unique(addresses);
}

function rowsOf(text: string): string[][] {
  return text.split('\n').map((line) => line.trim().split(/\s+/));
}

function unique(addresses: readonly string[]): string[] {
  return [...new Set(addresses)];
}

/** Empty where the program is missing or does not end in time: then there is no gateway to ask. */
function netstat(): Promise<string> {
  return new Promise((resolve) => {
    execFile('netstat', ['-rn'], { timeout: COMMAND_MS, windowsHide: true }, (error, stdout) =>
      resolve(error === null ? stdout : ''),
    );
  });
}
