import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

/** Any port: connecting a UDP socket sends nothing. */
const PROBE_PORT = 33_434;

/**
 * Asks the system whether it knows a way to an address; nothing is sent. Null where it does, else
 * its error (`ENETUNREACH`, …). This tells a ping that has no route from one that may not run,
 * which exit codes and texts of ping programs do not.
 */
export function routeError(address: string): Promise<NodeJS.ErrnoException | null> {
  const socket = createSocket(isIPv4(address) ? 'udp4' : 'udp6');
  return new Promise((resolve) => {
    const settle = (error: NodeJS.ErrnoException | null) => {
      socket.removeAllListeners();
      socket.close();
      resolve(error);
    };
    socket.once('error', settle);
    const connected = (error?: NodeJS.ErrnoException) => settle(error ?? null);
    socket.connect(PROBE_PORT, address, connected as () => void);
  });
}
