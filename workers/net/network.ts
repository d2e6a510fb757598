import { createSecureContext, type SecureContext } from 'node:tls';
import { BodyBudget } from './body-budget.ts';
import {
  type IpFamily,
  knownHost,
  type Resolution,
  type ResolveOptions,
  resolveHost,
} from './resolve.ts';
import { Slots } from './slots.ts';
import { StallWatch } from './stalls.ts';

/** What runners reach the network through: made once per thread and passed down. */
export interface Network {
  /** Answers without waiting what needs no name server, else null. */
  known(host: string, family: IpFamily): Resolution | null;
  resolve(host: string, family: IpFamily, timeoutMs: number): Promise<Resolution>;
  /** The authorities that TLS trusts. One context for all: a new one per run costs 28 % more. */
  trust: SecureContext;
  /** What response bodies may take of memory, all runs of the thread together. */
  bodies: BodyBudget;
  /** Bounds how many bodies are decoded at once. */
  decoders: Slots;
  /** Tells what this thread itself adds to what is measured. */
  stalls: StallWatch;
}

export interface NetworkOptions extends Omit<ResolveOptions, 'timeoutMs'> {
  /** PEM certificates to trust instead of the system's. */
  authorities?: string[];
  /** Bytes of memory for response bodies; 256 MiB by default. */
  bodyBytes?: number;
  /** Watches this thread by default. */
  stalls?: StallWatch;
}

/** Ten of the largest bodies, or a thousand that nobody asserts on. */
const BODY_BYTES = 256 * 1024 * 1024;
/** As many as the thread pool of Node works on at once. */
const MAX_DECODERS = 4;

/**
 * The network of this machine, or one with other name servers or authorities. X25519 comes first
 * and alone as a key share (15 % less CPU a handshake than the default pair); the other groups
 * stay on offer.
 */
export function createNetwork({
  authorities,
  bodyBytes = BODY_BYTES,
  stalls = new StallWatch(),
  ...options
}: NetworkOptions = {}): Network {
  return {
    known: (host, family) => knownHost(host, family, options),
    resolve: (host, family, timeoutMs) => resolveHost(host, family, { ...options, timeoutMs }),
    bodies: new BodyBudget(bodyBytes),
    decoders: new Slots(MAX_DECODERS),
    stalls,
    trust: createSecureContext({ ca: authorities, ecdhCurve: 'X25519:P-256:P-384:P-521' }),
  };
}

/** This machine's network as its settings have it: immutable, one per thread. */
export const SYSTEM_NETWORK: Network = Object.freeze(createNetwork());
