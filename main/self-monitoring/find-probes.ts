import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { readIfThere } from '#main/platform/read-if-there.ts';
import { defaultGateways } from './default-gateway.ts';
import { askPing } from './probe-ping.ts';
import { askResolver } from './probe-resolver.ts';
import { ANSWER_WITHIN_MS, askTcp } from './probe-tcp.ts';
import { anyOf, type Canary } from './probes.ts';

/** Which canaries the operator wants asked. */
export interface CanaryChoice {
  gateway: boolean;
  resolvers: boolean;
  anchors: readonly Anchor[];
}

/** A port that somebody serves all the time. */
export interface Anchor {
  /** A name or an address. */
  host: string;
  port: number;
}

/** Most name servers asked; the C library uses three. */
const MAX_RESOLVERS = 3;

/** The canaries that there are now, in the order of the choice. */
export async function findCanaries(choice: CanaryChoice): Promise<Canary[]> {
  const gateways = choice.gateway ? await defaultGateways() : [];
  const resolvers = choice.resolvers ? await nameServers() : [];
  return [
    ...gateways.map(gatewayCanary),
    ...resolvers.map(resolverCanary),
    ...choice.anchors.map(anchorCanary),
  ];
}

/** Ports on which a router that is there accepts or refuses: names, its pages. */
const GATEWAY_PORTS = [53, 80, 443];
/** A program is started only for a gateway that drops what comes for its ports. */
const PING_AFTER_MS = 250;

/** A gateway answers a connection, by refusing it as well, or a ping. */
export function gatewayCanary(address: string): Canary {
  const ask = async () => {
    const ports = GATEWAY_PORTS.map((port) => askPort(address, port));
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), PING_AFTER_MS);
    const isThere = await Promise.race([anyOf(ports), late]);
    clearTimeout(timer);
    return isThere || anyOf([...ports, askPing(address)]);
  };
  return { kind: 'gateway', name: address, ask };
}

async function askPort(address: string, port: number): Promise<boolean> {
  return (await askTcp(address, port)) !== 'nothing';
}

export function resolverCanary(server: string): Canary {
  return { kind: 'resolver', name: server, ask: () => askResolver(server) };
}

/** An anchor answers by taking a connection: what refuses may stand on the way to it. */
export function anchorCanary({ host, port }: Anchor): Canary {
  const name = isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
  const ask = async () => {
    const started = performance.now();
    const address = await addressOf(host);
    const leftMs = ANSWER_WITHIN_MS - (performance.now() - started);
    if (address === null || leftMs <= 0) return false;
    return (await askTcp(address, port, leftMs)) === 'connected';
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
