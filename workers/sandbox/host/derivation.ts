import * as crypto from 'node:crypto';
import { promisify } from 'node:util';
import { hashName } from './hashes.ts';
import { Parameters } from './parameters.ts';
import { asNodeDoes, Refusal } from './refusal.ts';

/** A key that a script has derived of a password, with its parameters looked at. */
interface Derivation {
  password: Buffer;
  salt: Buffer;
  /** Bytes of the key. */
  length: number;
  /** Milliseconds that it takes, as measured on a common machine. */
  costMs: number;
}
interface Pbkdf2 extends Derivation {
  kind: 'pbkdf2';
  iterations: number;
  digest: string;
}
interface Scrypt extends Derivation {
  kind: 'scrypt';
  options: crypto.ScryptOptions;
}

/** Of the thread that all scripts of a host share, and of a thread of their own together. */
const MAX_SYNC_MS = 100;
const MAX_ASYNC_MS = 2_000;
/** Measured: sha512, the slowest of the hashes, and scrypt of 16 MB in 32 ms. */
const PBKDF2_ROUNDS_PER_MS = 3_000;
const SCRYPT_BLOCKS_PER_MS = 4_096;
const MAX_KEY_BYTES = 65_536;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
/** What Node takes where a script says nothing. */
const SCRYPT = { N: 16_384, r: 8, p: 1, maxmem: 32 * 1024 * 1024 };
const HASH_BYTES: Readonly<Record<string, number>> = {
  md5: 16,
  sha1: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
};

const pbkdf2 = promisify(crypto.pbkdf2);
const scrypt = promisify<Buffer, Buffer, number, crypto.ScryptOptions, Buffer>(crypto.scrypt);

/** Derives a key at once: only what takes little time. */
export function deriveSync(text: string): string {
  const wanted = derivationOf(text);
  if (wanted.costMs > MAX_SYNC_MS) {
    throw new Refusal(
      `${wanted.kind}Sync with these parameters would keep other scripts waiting: use ${wanted.kind} with a callback`,
    );
  }
  const { password, salt, length } = wanted;
  return asNodeDoes(() =>
    wanted.kind === 'pbkdf2'
      ? crypto.pbkdf2Sync(password, salt, wanted.iterations, length, wanted.digest)
      : crypto.scryptSync(password, salt, length, wanted.options),
  ).toString('latin1');
}

/** The keys that one script derives on another thread, which nothing can end before it is done. */
export class Derivations {
  #spentMs = 0;

  /** Throws {@link Refusal} where the parameters are wrong or take too much time. */
  derive(text: string): Promise<string> {
    const wanted = derivationOf(text);
    this.#spentMs += wanted.costMs;
    if (this.#spentMs > MAX_ASYNC_MS) {
      throw new Refusal(`The keys that a script derives may take ${MAX_ASYNC_MS / 1_000} s`);
    }
    const { password, salt, length } = wanted;
    const derived =
      wanted.kind === 'pbkdf2'
        ? pbkdf2(password, salt, wanted.iterations, length, wanted.digest)
        : scrypt(password, salt, length, wanted.options);
    return derived.then((key) => key.toString('latin1'));
  }
}

/** HKDF takes no time worth a bound: its output is at most 255 hashes. */
export function hkdf(text: string, key: string, salt: string): string {
  const parameters = Parameters.parse(text);
  const digest = hashName(parameters.text('digest'));
  const info = parameters.bytes('info') ?? Buffer.alloc(0);
  const [secret, salted] = [Buffer.from(key, 'latin1'), Buffer.from(salt, 'latin1')];
  const length = lengthOf(parameters);
  const derived = asNodeDoes(() => crypto.hkdfSync(digest, secret, salted, info, length));
  return Buffer.from(derived).toString('latin1');
}

function derivationOf(text: string): Pbkdf2 | Scrypt {
  const parameters = Parameters.parse(text);
  const common = {
    password: parameters.bytes('password') ?? Buffer.alloc(0),
    salt: parameters.bytes('salt') ?? Buffer.alloc(0),
    length: lengthOf(parameters),
  };
  return parameters.text('kind') === 'pbkdf2'
    ? pbkdf2Of(parameters, common)
    : scryptOf(parameters, common);
}

function pbkdf2Of(parameters: Parameters, common: Omit<Derivation, 'costMs'>): Pbkdf2 {
  const digest = hashName(parameters.text('digest'));
  const iterations = wholeNumber('iterations', parameters.number('iterations'));
  const blocks = Math.max(1, Math.ceil(common.length / (HASH_BYTES[digest] ?? 1)));
  const costMs = (iterations * blocks) / PBKDF2_ROUNDS_PER_MS;
  return { kind: 'pbkdf2', ...common, iterations, digest, costMs };
}

function scryptOf(parameters: Parameters, common: Omit<Derivation, 'costMs'>): Scrypt {
  const options = { ...SCRYPT, ...parameters.numbers(['N', 'r', 'p', 'maxmem']) };
  // What is less than nothing would be taken off the time that the script has used.
  for (const [name, value] of Object.entries(options)) wholeNumber(name, value);
  const { N, r, p, maxmem } = options;
  if (maxmem > MAX_MEMORY_BYTES) {
    throw new Refusal(
      `scrypt takes at most ${MAX_MEMORY_BYTES / 1024 / 1024} MB in scripts (maxmem)`,
    );
  }
  const costMs = (N * r * p) / SCRYPT_BLOCKS_PER_MS;
  return { kind: 'scrypt', ...common, options, costMs };
}

function lengthOf(parameters: Parameters): number {
  const length = wholeNumber('keylen', parameters.number('length'));
  if (length <= MAX_KEY_BYTES) return length;
  throw new Refusal(`A derived key takes at most ${MAX_KEY_BYTES} bytes`);
}

function wholeNumber(name: string, value: number | undefined): number {
  if (value !== undefined && Number.isInteger(value) && value >= 0) return value;
  const message = `The value of "${name}" is out of range. It must be a whole number. Received ${value}`;
  throw new Refusal(message, { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' });
}
