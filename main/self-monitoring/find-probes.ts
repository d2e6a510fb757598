import { execFile } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { readIfThere } from '#main/platform/read-if-there.ts';
import { defaultGateways } from './default-gateway.ts';
import { anyOf, type Probe } from './probes.ts';

/** Which connectivity probes the operator wants. */
export interface ProbeChoice {
  gateway: boolean;
  resolvers: boolean;
  anchors: readonly Anchor[];
}

/** A port that is always served, as the operator says. */
export interface Anchor {
  /** A name or an address. */
  host: string;
  port: number;
}

/** How long a probe has to answer: it is close by, and failing runs wait for it. */
const ANSWER_WITHIN_MS = 1_000;

/** Most name servers asked; the C library uses three. */
const MAX_RESOLVERS = 3;

/** The connectivity probes that this machine has now, in the order of the choice. */
export async function findProbes(choice: ProbeChoice): Promise<Probe[]> {
  const gateways = choice.gateway ? await defaultGateways() : [];
  const resolvers = choice.resolvers ? await nameServers() : [];
  return [
    ...gateways.map(gatewayProbe),
    ...resolvers.map(resolverProbe),
    ...choice.anchors.map(anchorProbe),
  ];
}

/** Ports on which a router that is there accepts or refuses: names, its pages. */
const GATEWAY_PORTS = [53, 80, 443];
/** A program is started only for a gateway that drops what comes for its ports. */
const PING_AFTER_MS = 250;

/** A gateway answers a connection, by refusing it as well, or a ping. */
export function gatewayProbe(address: string): Probe {
  const ask = async () => {
    const ports = GATEWAY_PORTS.map((port) => askPort(address, port));
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), PING_AFTER_MS);
    const isThere = await Promise.race([anyOf(ports), late]);
    clearTimeout(timer);
    return isThere || anyOf([...ports, probePing(address)]);
  };
  return { kind: 'gateway', name: address, ask };
}

async function askPort(address: string, port: number): Promise<boolean> {
  return (await probeTcp(address, port)) !== 'nothing';
}

export function resolverProbe(server: string): Probe {
  return { kind: 'resolver', name: server, ask: () => probeResolver(server) };
}

/** An anchor answers by taking a connection: what refuses may stand on the way to it. */
export function anchorProbe({ host, port }: Anchor): Probe {
  const name = isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
  const ask = async () => {
    const started = performance.now();
    const address = await addressOf(host);
    const leftMs = ANSWER_WITHIN_MS - (performance.now() - started);
    if (address === null || leftMs <= 0) return false;
    return (await probeTcp(address, port, leftMs)) === 'connected';
  };
  return { kind: 'anchor', name, ask };
}

/** Not by the system's own lookup: with dead name servers it blocks threads that files wait for. */
async function addressOf(host: string): Promise<string | null> {
  if (isIP(host) !== 0) return host;
  if (host === 'localhost') return '127.0.0.1';
  const resolver = new Resolver({ timeout: ANSWER_WITHIN_MS, tries: 1 });
  const timer = setTimeout(() => resolver.cancel(), ANSWER_WITHIN_MS);
  const asked = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  clearTimeout(timer);
  return asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))[0] ?? null;
}

/** Where systemd keeps the name servers that its own local one asks. */
const SYSTEMD_RESOLVERS = '/run/systemd/resolve/resolv.conf';

/**
 * The name servers of this machine, less those on the machine itself, which answer with a dead
 * network as well; those that systemd's asks instead of it.
 */
async function nameServers(): Promise<string[]> {
  const configured = new Resolver().getServers();
  const remote = configured.filter((server) => !isOwn(server));
  const found = remote.length > 0 ? remote : resolversIn(await readIfThere(SYSTEMD_RESOLVERS));
  return found.filter((server) => !isOwn(server)).slice(0, MAX_RESOLVERS);
}

function isOwn(server: string): boolean {
  return /^(127\.|\[?::1\b|0\.0\.0\.0)/.test(server);
}

/** The addresses that a `resolv.conf` names, less those that c-ares does not take: with a zone. */
export function resolversIn(text: string): string[] {
  return [...text.matchAll(/^\s*nameserver\s+(\S+)/gm)].flatMap(([, address = '']) =>
    isIP(address) === 0 || address.includes('%') ? [] : [address],
  );
}

/** What c-ares says where the server did not answer; every other error is an answer. */
const NO_ANSWER: readonly string[] = ['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED', 'EDESTRUCTION'];

/**
 * Whether a name server answers, whatever it says: asked for the name servers of the root, which every
 * resolver knows without asking another.
 *
 * @param server an address, or `address:port`, as `Resolver.getServers` gives them
 */
async function probeResolver(server: string): Promise<boolean> {
  // Lost packets are sent once more; the timer ends it whatever c-ares makes of its own limits.
  const resolver = new Resolver({ timeout: ANSWER_WITHIN_MS / 2, tries: 2 });
  resolver.setServers([server]);
  const timer = setTimeout(() => resolver.cancel(), ANSWER_WITHIN_MS);
  try {
    await resolver.resolveNs('.');
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw new Error(`Asking ${server} broke`, { cause: error });
    return !NO_ANSWER.includes(code);
  } finally {
    clearTimeout(timer);
  }
}

const ARGUMENTS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  win32: ['-n', '1', '-w', '1000'],
  darwin: ['-n', '-c', '1', '-t', '1'],
};
/** iputils and BusyBox. */
const OF_LINUX = ['-n', '-c', '1', '-W', '1'];
/** Windows ends with 0 also where a router says that there is no way. */
const WINDOWS_REPLY = /TTL=/i;

/** Whether an address answers one ping; false as well where this machine has no such program. */
function probePing(address: string): Promise<boolean> {
  const args = [...(ARGUMENTS[process.platform] ?? OF_LINUX), address];
  const options = {
    timeout: ANSWER_WITHIN_MS,
    killSignal: 'SIGKILL',
    windowsHide: true,
    env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C' },
  } as const;
  return new Promise((resolve) => {
    execFile('ping', args, options, (error, stdout) =>
      resolve(error === null && (process.platform !== 'win32' || WINDOWS_REPLY.test(stdout))),
    );
  });
}

/**
 * Tries to connect, sends nothing and hangs up. `refused` was said by the host itself, so that it is
 * there and so is the way to it; `nothing` is every other error, or silence.
 */
export function probeTcp(
  address: string,
  port: number,
  withinMs = ANSWER_WITHIN_MS,
): Promise<'connected' | 'refused' | 'nothing'> {
  const socket = connect({ host: address, port });
  return new Promise((resolve) => {
    const settle = (answer: 'connected' | 'refused' | 'nothing') => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    // After a standstill of this thread the timer fires before an answer that has arrived: it is read first.
    const timer = setTimeout(() => setImmediate(() => settle('nothing')), withinMs);
    socket.once('connect', () => settle('connected'));
    // Also errors after the end: without a listener they would throw.
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      settle(code === 'ECONNREFUSED' ? 'refused' : 'nothing'),
    );
  });
}
