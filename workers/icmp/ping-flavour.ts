import { parseUnixPing } from './parse-unix.ts';
import { parseWindowsPing } from './parse-windows.ts';
import type { PingOutput } from './ping-output.ts';

export type IpFamily = 'IPv4' | 'IPv6';

/** How the ping program of one kind of system is called and read. */
export interface PingFlavour {
  /** The program's name for a family. */
  program: Readonly<Record<IpFamily, string>>;
  /** Milliseconds between two requests. */
  intervalMs: number;
  /** Arguments for `count` requests of 64 bytes to an address; never a name. */
  args(address: string, family: IpFamily, count: number): string[];
  parse(output: string): PingOutput;
}

/** Octets of data: with the 8 of the ICMP header they make 64. */
const DATA_BYTES = '56';
/** How long ping waits for the last replies. */
export const REPLY_WAIT_MS = 2_000;

/**
 * iputils, and BusyBox, which takes the same arguments. Never `-w`: with it iputils goes on
 * sending until `count` replies have come, and stops at the first error.
 */
const linux: PingFlavour = {
  program: { IPv4: 'ping', IPv6: 'ping' },
  intervalMs: 500,
  args: (address, family, count) => [
    ...[family === 'IPv4' ? '-4' : '-6', '-n', '-c', String(count), '-i', '0.5'],
    ...['-s', DATA_BYTES, '-W', String(REPLY_WAIT_MS / 1_000), '--', address],
  ],
  parse: (output) => parseUnixPing(output, 1),
};

/** macOS and the BSDs: a program for each family; `-W` counts milliseconds, and only for IPv4. */
const bsd: PingFlavour = {
  program: { IPv4: 'ping', IPv6: 'ping6' },
  intervalMs: 500,
  args: (address, family, count) => [
    ...['-n', '-c', String(count), '-i', '0.5', '-s', DATA_BYTES],
    ...(family === 'IPv4' ? ['-W', String(REPLY_WAIT_MS)] : []),
    ...['--', address],
  ],
  parse: (output) => parseUnixPing(output, 0),
};

/** Windows has no choice of interval: one request a second. */
const windows: PingFlavour = {
  program: { IPv4: 'ping', IPv6: 'ping' },
  intervalMs: 1_000,
  args: (address, family, count) => [
    ...[family === 'IPv4' ? '-4' : '-6', '-n', String(count), '-l', DATA_BYTES],
    ...['-w', String(REPLY_WAIT_MS), address],
  ],
  parse: parseWindowsPing,
};

const BY_PLATFORM: Readonly<Partial<Record<NodeJS.Platform, PingFlavour>>> = {
  darwin: bsd,
  freebsd: bsd,
  openbsd: bsd,
  netbsd: bsd,
  win32: windows,
};

/** The dialect of a platform; the Linux one where nothing else is known. */
export function pingFlavour(platform: NodeJS.Platform): PingFlavour {
  return BY_PLATFORM[platform] ?? linux;
}
