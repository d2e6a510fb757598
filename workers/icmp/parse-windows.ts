import { ECHO_REPLY, type Echo, EchoList, type PingOutput } from './ping-output.ts';

/** `Reply from 10.0.0.1: bytes=56 time<1ms TTL=64`, in any language; IPv6 has neither size nor TTL. */
const REPLY = /^\S.*[=<](\d+) ?ms(?: TTL=(\d+))?\s*$/;
const STATISTICS = /^\s+\S+: [^=]+= (\d+), [^=]+= \d+, [^=]+= \d+/;

/**
 * Reads what the ping of Windows prints. Its words depend on the system's language, so only the
 * shape counts: after the heading, every line up to the next empty one is one request.
 */
export function parseWindowsPing(output: string): PingOutput {
  const [heading = [], ...rest] = paragraphs(output);
  const lines = heading.slice(1);
  const echoes = new EchoList();
  lines.forEach((line, index) => {
    const echo = echoOf(line, index + 1);
    echoes.add(echo);
    if (!echo.success) echoes.addError(line.trim());
  });
  const statistics = rest.flat().flatMap((line) => STATISTICS.exec(line) ?? []);
  const sent = statistics[1] === undefined ? null : Number(statistics[1]);
  return { sent, echoes: echoes.sorted(), reportedError: echoes.reportedError };
}

function echoOf(line: string, sequence: number): Echo {
  const reply = REPLY.exec(line);
  if (!reply) return { sequence, type: null, code: null, success: false, rttMs: null, ttl: null };
  const ttl = reply[2] === undefined ? null : Number(reply[2]);
  const echoReply = ECHO_REPLY[ttl === null ? 'IPv6' : 'IPv4'];
  return { sequence, ...echoReply, success: true, rttMs: Number(reply[1]), ttl };
}

function paragraphs(output: string): string[][] {
  const blocks = output.split(/\r?\n\s*\r?\n/);
  return blocks.map((block) => block.split(/\r?\n/).filter(Boolean)).filter((b) => b.length > 0);
}
