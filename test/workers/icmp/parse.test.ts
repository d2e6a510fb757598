import { describe, expect, test } from 'vitest';
import { parseUnixPing } from '#workers/icmp/parse-unix.ts';
import { parseWindowsPing } from '#workers/icmp/parse-windows.ts';
import type { PingOutput } from '#workers/icmp/ping-output.ts';

/** Captured output, and what it says: sequence, type, code, time and TTL of each echo. */
interface Capture {
  program: string;
  parse(output: string): PingOutput;
  output: string;
  sent: number | null;
  echoes: [number, number | null, number | null, number | null, number | null][];
  error?: string;
}

const iputils = (output: string) => parseUnixPing(output, 1);
const bsd = (output: string) => parseUnixPing(output, 0);

const CAPTURES: Capture[] = [
  {
    program: 'iputils on IPv4',
    parse: iputils,
    output: `PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.
64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.767 ms
64 bytes from 127.0.0.1: icmp_seq=2 ttl=64 time=0.041 ms

--- 127.0.0.1 ping statistics ---
2 packets transmitted, 2 received, 0% packet loss, time 508ms
rtt min/avg/max/mdev = 0.041/0.404/0.767/0.363 ms
`,
    sent: 2,
    echoes: [
      [1, 0, 0, 0.767, 64],
      [2, 0, 0, 0.041, 64],
    ],
  },
  {
    program: 'iputils on IPv6',
    parse: iputils,
    output: `PING ::1(::1) 56 data bytes
64 bytes from ::1: icmp_seq=1 ttl=64 time=0.251 ms

--- ::1 ping statistics ---
1 packets transmitted, 1 received, 0% packet loss, time 0ms
rtt min/avg/max/mdev = 0.251/0.251/0.251/0.000 ms
`,
    sent: 1,
    echoes: [[1, 129, 0, 0.251, 64]],
  },
  {
    program: 'iputils with a loss, a duplicate and a late reply',
    parse: iputils,
    output: `PING 192.0.2.9 (192.0.2.9) 56(84) bytes of data.
64 bytes from 192.0.2.9: icmp_seq=3 ttl=55 time=12.3 ms
64 bytes from 192.0.2.9: icmp_seq=1 ttl=55 time=1012 ms
64 bytes from 192.0.2.9: icmp_seq=1 ttl=55 time=1013 ms (DUP!)

--- 192.0.2.9 ping statistics ---
3 packets transmitted, 2 received, +1 duplicates, 33.3333% packet loss, time 1002ms
rtt min/avg/max/mdev = 12.300/512.150/1012.000/499.850 ms, pipe 2
`,
    sent: 3,
    echoes: [
      [1, 0, 0, 1012, 55],
      [3, 0, 0, 12.3, 55],
    ],
  },
  {
    program: 'iputils with nothing but silence',
    parse: iputils,
    output: `PING 192.0.2.9 (192.0.2.9) 56(84) bytes of data.

--- 192.0.2.9 ping statistics ---
3 packets transmitted, 0 received, 100% packet loss, time 1015ms

`,
    sent: 3,
    echoes: [],
  },
  {
    program: 'iputils with errors from the way',
    parse: iputils,
    output: `PING 8.8.8.8 (8.8.8.8) 56(84) bytes of data.
From 192.0.2.1 icmp_seq=1 Time to live exceeded
From 192.0.2.1 icmp_seq=2 Destination Host Unreachable
From 192.0.2.1 icmp_seq=3 Frag needed and DF set (mtu = 1400)
From 192.0.2.1 icmp_seq=4 Something new

--- 8.8.8.8 ping statistics ---
4 packets transmitted, 0 received, +4 errors, 100% packet loss, time 1500ms
`,
    sent: 4,
    echoes: [
      [1, 11, 0, null, null],
      [2, 3, 1, null, null],
      [3, 3, 4, null, null],
      [4, null, null, null, null],
    ],
    error: 'Time to live exceeded',
  },
  {
    program: 'iputils with an ICMPv6 error',
    parse: iputils,
    output: `PING 2001:db8::1(2001:db8::1) 56 data bytes
From fd00::2 icmp_seq=1 Destination unreachable: Address unreachable

--- 2001:db8::1 ping statistics ---
1 packets transmitted, 0 received, +1 errors, 100% packet loss, time 0ms
`,
    sent: 1,
    echoes: [[1, 1, 3, null, null]],
    error: 'Destination unreachable: Address unreachable',
  },
  {
    program: 'iputils killed in the middle of a line',
    parse: iputils,
    output: `PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.
64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.767 ms
64 bytes from 127.0.0`,
    sent: null,
    echoes: [[1, 0, 0, 0.767, 64]],
  },
  {
    program: 'BusyBox, which counts from 0',
    parse: iputils,
    output: `PING 127.0.0.1 (127.0.0.1): 56 data bytes
64 bytes from 127.0.0.1: seq=0 ttl=64 time=0.060 ms
64 bytes from 127.0.0.1: seq=1 ttl=64 time=0.097 ms

--- 127.0.0.1 ping statistics ---
2 packets transmitted, 2 packets received, 0% packet loss
round-trip min/avg/max = 0.060/0.078/0.097 ms
`,
    sent: 2,
    echoes: [
      [1, 0, 0, 0.06, 64],
      [2, 0, 0, 0.097, 64],
    ],
  },
  {
    program: 'macOS on IPv4',
    parse: bsd,
    output: `PING 1.1.1.1 (1.1.1.1): 56 data bytes
64 bytes from 1.1.1.1: icmp_seq=0 ttl=58 time=9.201 ms
Request timeout for icmp_seq 1
64 bytes from 1.1.1.1: icmp_seq=2 ttl=58 time=8.940 ms

--- 1.1.1.1 ping statistics ---
3 packets transmitted, 2 packets received, 33.3% packet loss
round-trip min/avg/max/stddev = 8.940/9.071/9.201/0.131 ms
`,
    sent: 3,
    echoes: [
      [1, 0, 0, 9.201, 58],
      [3, 0, 0, 8.94, 58],
    ],
  },
  {
    program: 'macOS on IPv6',
    parse: bsd,
    output: `PING6(56=40+8+8 bytes) ::1 --> ::1
16 bytes from ::1, icmp_seq=0 hlim=64 time=0.094 ms

--- ::1 ping6 statistics ---
1 packets transmitted, 1 packets received, 0.0% packet loss
round-trip min/avg/max/std-dev = 0.094/0.094/0.094/0.000 ms
`,
    sent: 1,
    echoes: [[1, 129, 0, 0.094, 64]],
  },
  {
    program: 'macOS with an error that names no request',
    parse: bsd,
    output: `PING 10.1.1.1 (10.1.1.1): 56 data bytes
92 bytes from 10.0.0.1: Destination Host Unreachable
Vr HL TOS  Len   ID Flg  off TTL Pro  cks      Src      Dst
 4  5  00 5400 b5a1   0 0000  3f  01 af35 10.0.0.2  10.1.1.1

--- 10.1.1.1 ping statistics ---
1 packets transmitted, 0 packets received, 100.0% packet loss
`,
    sent: 1,
    echoes: [],
    error: 'Destination Host Unreachable',
  },
  {
    program: 'Windows on IPv4',
    parse: parseWindowsPing,
    output: [
      '',
      'Pinging 10.0.0.1 with 56 bytes of data:',
      'Reply from 10.0.0.1: bytes=56 time<1ms TTL=128',
      'Request timed out.',
      'Reply from 10.0.0.1: bytes=56 time=14ms TTL=128',
      '',
      'Ping statistics for 10.0.0.1:',
      '    Packets: Sent = 3, Received = 2, Lost = 1 (33% loss),',
      'Approximate round trip times in milli-seconds:',
      '    Minimum = 0ms, Maximum = 14ms, Average = 7ms',
      '',
    ].join('\r\n'),
    sent: 3,
    echoes: [
      [1, 0, 0, 1, 128],
      [2, null, null, null, null],
      [3, 0, 0, 14, 128],
    ],
    error: 'Request timed out.',
  },
  {
    program: 'Windows in German on IPv6',
    parse: parseWindowsPing,
    output: [
      '',
      'Ping wird ausgeführt für ::1 mit 56 Bytes Daten:',
      'Antwort von ::1: Zeit<1ms ',
      '',
      'Ping-Statistik für ::1:',
      '    Pakete: Gesendet = 1, Empfangen = 1, Verloren = 0',
      '    (0% Verlust),',
      'Ca. Zeitangaben in Millisek.:',
      '    Minimum = 0ms, Maximum = 0ms, Mittelwert = 0ms',
      '',
    ].join('\r\n'),
    sent: 1,
    echoes: [[1, 129, 0, 1, null]],
  },
];

describe('the output of ping', () => {
  test.each(CAPTURES)('is read from $program', ({ parse, output, sent, echoes, error = null }) => {
    const parsed = parse(output);
    expect(parsed.sent).toBe(sent);
    expect(parsed.reportedError).toBe(error);
    expect(
      parsed.echoes.map(({ sequence, type, code, rttMs, ttl }) => [
        sequence,
        type,
        code,
        rttMs,
        ttl,
      ]),
    ).toEqual(echoes);
    expect(parsed.echoes.map(({ success }) => success)).toEqual(
      echoes.map(([, , , rtt]) => rtt !== null),
    );
  });

  test.each([
    ['iputils', iputils],
    ['Windows', parseWindowsPing],
  ])('of nothing says nothing (%s)', (_, parse) => {
    expect(parse('')).toEqual({ sent: null, echoes: [], reportedError: null });
  });
});
