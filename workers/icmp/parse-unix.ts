import { ECHO_REPLY, type Echo, EchoList, type PingOutput } from './ping-output.ts';

const REPLY = /^\d+ bytes from .*?\b(icmp_)?seq=(\d+) (?:ttl|hlim)=(\d+)(?: time[=<]([\d.]+) ?ms)?/;
const NUMBERED_ERROR = /^From \S+ icmp_seq=(\d+) (.+)$/;
const UNNUMBERED_ERROR = /^\d+ bytes from [^:]+: ([A-Z].+)$/;
const STATISTICS = /^(\d+) packets transmitted, \d+ (?:packets )?received/;

/**
 * Reads what the ping of iputils, BusyBox, macOS and the BSDs prints under `LC_ALL=C -n`.
 *
 * @param firstSequence what the program numbers its first request with: iputils 1, the BSDs 0;
 *   BusyBox, told by its `seq=`, is always 0
 */
export function parseUnixPing(output: string, firstSequence: 0 | 1): PingOutput {
  const echoes = new EchoList();
  let sent: number | null = null;
  for (const line of output.split('\n')) {
    const reply = REPLY.exec(line);
    const error = NUMBERED_ERROR.exec(line);
    const statistics = STATISTICS.exec(line);
    if (reply) echoes.add(replyOf(reply, firstSequence, line));
    else if (error) addError(echoes, Number(error[1]) + 1 - firstSequence, error[2] ?? '');
    else if (statistics) sent = Number(statistics[1]);
    else echoes.reportedError ??= UNNUMBERED_ERROR.exec(line)?.[1] ?? null;
  }
  return { sent, echoes: echoes.sorted(), reportedError: echoes.reportedError };
}

function replyOf(match: RegExpExecArray, firstSequence: number, line: string): Echo {
  const [, icmpPrefix, sequence, ttl, rtt] = match;
  const first = icmpPrefix ? firstSequence : 0;
  return {
    sequence: Number(sequence) + 1 - first,
    ...ECHO_REPLY[isFromIPv6(line) ? 'IPv6' : 'IPv4'],
    success: true,
    rttMs: rtt === undefined ? null : Number(rtt),
    ttl: Number(ttl),
  };
}

function isFromIPv6(line: string): boolean {
  return /^\d+ bytes from [^ ]*:[^ ]*:/.test(line);
}

function addError(echoes: EchoList, sequence: number, text: string): void {
  const known = ERRORS.find(([start]) => text.startsWith(start));
  const [, type, code] = known ?? ['', null, null];
  echoes.add({ sequence, type, code, success: false, rttMs: null, ttl: null });
  echoes.addError(text);
}

/** How iputils names ICMP and ICMPv6 errors: start of the text, type, code. */
const ERRORS: readonly (readonly [string, number, number])[] = [
  ['Destination Net Unreachable', 3, 0],
  ['Destination Host Unreachable', 3, 1],
  ['Destination Protocol Unreachable', 3, 2],
  ['Destination Port Unreachable', 3, 3],
  ['Frag needed and DF set', 3, 4],
  ['Source Route Failed', 3, 5],
  ['Destination Net Unknown', 3, 6],
  ['Destination Host Unknown', 3, 7],
  ['Destination Net Prohibited', 3, 9],
  ['Destination Host Prohibited', 3, 10],
  ['Packet filtered', 3, 13],
  ['Time to live exceeded', 11, 0],
  ['Destination unreachable: No route', 1, 0],
  ['Destination unreachable: Administratively prohibited', 1, 1],
  ['Destination unreachable: Beyond scope of source address', 1, 2],
  ['Destination unreachable: Address unreachable', 1, 3],
  ['Destination unreachable: Port unreachable', 1, 4],
  ['Packet too big', 2, 0],
  ['Time exceeded: Hop limit', 3, 0],
];
