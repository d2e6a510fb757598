import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartupError } from '#main/platform/startup-error.ts';

/** Not by an import, which loads all that the module could give, such as a client and WebSockets: 13 MB. */
const { createServer } = process.getBuiltinModule('node:http');

export interface Listening {
  /** Where the API answers, without a slash at its end. */
  url: string;
  /** Takes no more requests and ends when those under way are answered, or cut off in 3 seconds. */
  close(): Promise<void>;
}

/** How long a client may take to send a request, headers and body. */
const REQUEST_TIMEOUT_MS = 60_000;
/**
 * How long a connection stays open without a request. Node closes it for its age after a standstill before it reads what came
 * meanwhile, and its client finds it reset: so it is longer than the appliance stands still even under load.
 */
const KEEP_ALIVE_MS = 20_000;
const CLOSE_GRACE_MS = 3_000;
const IDLE_SWEEP_MS = 20;

/**
 * Listens on a host and port; port 0 picks a free one.
 *
 * @throws StartupError where the port is in use, or the host or port cannot be used
 */
export async function listen(
  app: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    app,
  );
  await bind(server, host, port);
  const url = urlAt(host, (server.address() as AddressInfo).port);
  return { url, close: () => close(server) };
}

/**
 * Sees that a host and port can be listened on, and lets go of them.
 *
 * @throws StartupError as {@link listen}
 */
export async function refuseUsedPort({ host, port }: { host: string; port: number }) {
  const server = createServer();
  await bind(server, host, port);
  await close(server);
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (error: NodeJS.ErrnoException) => reject(startupError(error, host, port)));
  server.listen(port, host, resolve);
  await promise;
}

/** The address of a server, without a slash at its end. */
export function urlAt(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function startupError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const words = LISTEN_ERRORS[error.code ?? ''];
  if (words === undefined) return error;
  return new StartupError(`Cannot listen on ${host} port ${port}: ${words}`, { cause: error });
}

const LISTEN_ERRORS: Record<string, string> = {
  EADDRINUSE: 'another program is using it; choose another port with WATCHPOST_PORT',
  EACCES: 'this user may not use it; choose a port from 1024 on with WATCHPOST_PORT',
  EADDRNOTAVAIL: 'this machine does not have that address; see WATCHPOST_HOST',
  ENOTFOUND: 'that host name is not known; see WATCHPOST_HOST',
};

async function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  // Without this an answered connection would be kept open for a next request.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  await promise;
  clearInterval(sweep);
  clearTimeout(cut);
}
