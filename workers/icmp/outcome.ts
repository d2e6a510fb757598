import type { RunFailure } from '#shared/runs/protocol.ts';
import type { PingExit } from './ping-process.ts';
import type { IcmpReport } from './report.ts';

/** Why ping could not be started: our own trouble, with what an operator can do about it. */
export function startFailure(program: string, code: string): RunFailure {
  const remedies: Readonly<Record<string, string>> = {
    ENOENT: `The program “${program}” is not installed on this machine. Install it (Debian and Ubuntu: apt-get install iputils-ping; Alpine: apk add iputils-ping; Fedora: dnf install iputils)`,
    EACCES: `This user may not run the program “${program}” (EACCES). Make the file executable for it`,
    EPERM: `This machine does not let Watchpost run “${program}” (EPERM)`,
  };
  const message = remedies[code] ?? `The program “${program}” could not be started (${code})`;
  return { cause: 'INTERNAL', message };
}

/** ping ended without having sent anything, and the system does know a way to the target. */
export function unsentFailure(exit: PingExit): RunFailure {
  if (exit.stopped) {
    return { cause: 'INTERNAL', message: 'ping did not send anything within its time' };
  }
  const [said = ''] = exit.stderr.trim().split('\n');
  const status = exit.exitCode === null ? 'was killed' : `ended with status ${exit.exitCode}`;
  const message =
    `ping ${status} and sent nothing${said && `, saying “${said.slice(0, 200)}”`}. ` +
    'If it lacks permission, allow it: setcap cap_net_raw+ep on the program, or put the group of ' +
    'this user into the sysctl net.ipv4.ping_group_range (in a container: add the capability NET_RAW)';
  return { cause: 'INTERNAL', message };
}

/** The system knows no way to the target; `code` is its error, such as ENETUNREACH. */
export function noRouteFailure(address: string, code: string): RunFailure {
  return { cause: 'UNREACHABLE', message: `There is no route to ${address} (${code})` };
}

/**
 * A target that never answered is a failure whatever its thresholds; a lossy one is judged by them.
 */
export function silenceFailure(
  { packetsSent, packetsReceived, resolvedIp }: IcmpReport,
  reportedError: string | null,
): RunFailure | null {
  if (packetsReceived > 0) return null;
  const because = reportedError === null ? '' : `: ${reportedError}`;
  const requests = packetsSent === 1 ? 'the echo request' : `any of ${packetsSent} echo requests`;
  return { cause: 'UNREACHABLE', message: `${resolvedIp} did not answer ${requests}${because}` };
}
