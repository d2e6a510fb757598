// The part of the Web Cryptography API that a bundled library gets in place of the global `crypto`:
// digests, HMAC and random values, reckoned with the `crypto` of the realm, which scripts have too.
// Everything else refuses by name.
import {
  createHash,
  createHmac,
  getRandomValues,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto';

type Named = string | { name: string };
type HmacParams = { name: string; hash: Named; length?: number };
type Data = ArrayBuffer | ArrayBufferView;

/** Bytes of a new key where no length is given: the block of its hash. */
const BLOCK_BYTES: Readonly<Record<string, number>> = {
  'SHA-1': 64,
  'SHA-256': 64,
  'SHA-384': 128,
  'SHA-512': 128,
};
const MISSING = ['encrypt', 'decrypt', 'deriveBits', 'deriveKey', 'wrapKey', 'unwrapKey'];

/** A key for HMAC. Its bytes leave it through `exportKey` alone. */
export class CryptoKey {
  readonly type = 'secret';
  readonly algorithm: { name: string; hash: { name: string }; length: number };
  readonly extractable: boolean;
  readonly usages: readonly string[];
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, hash: string, extractable: boolean, usages: readonly string[]) {
    this.#bytes = bytes;
    this.algorithm = { name: 'HMAC', hash: { name: hash }, length: bytes.length * 8 };
    this.extractable = extractable;
    this.usages = [...usages];
  }

  get [Symbol.toStringTag](): string {
    return 'CryptoKey';
  }

  static bytesOf(key: CryptoKey): Uint8Array {
    return key.#bytes;
  }
}

function refusal(what: string): Error {
  return new Error(`${what} is not available in scripts (docs/guide/scripts.md)`);
}

function nameOf(algorithm: Named): string {
  return typeof algorithm === 'string' ? algorithm : algorithm.name;
}

function bytesIn(data: Data): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

/** A buffer of their own for these bytes. */
function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function requireHmac(algorithm: Named): void {
  if (nameOf(algorithm) !== 'HMAC') throw refusal(`The algorithm ${nameOf(algorithm)}`);
}

function hmac(algorithm: Named, key: CryptoKey, data: Data): Uint8Array {
  requireHmac(algorithm);
  const { name } = key.algorithm.hash;
  return createHmac(name, CryptoKey.bytesOf(key)).update(bytesIn(data)).digest();
}

async function importKey(
  format: string,
  data: Data,
  algorithm: HmacParams,
  extractable: boolean,
  usages: readonly string[],
): Promise<CryptoKey> {
  requireHmac(algorithm);
  if (format !== 'raw') throw refusal(`A key as ${format}`);
  return new CryptoKey(bytesIn(data).slice(), nameOf(algorithm.hash), extractable, usages);
}

async function generateKey(
  algorithm: HmacParams,
  extractable: boolean,
  usages: readonly string[],
): Promise<CryptoKey> {
  requireHmac(algorithm);
  const hash = nameOf(algorithm.hash);
  const size = algorithm.length === undefined ? BLOCK_BYTES[hash] : algorithm.length / 8;
  if (size === undefined) throw refusal(`The hash ${hash}`);
  return new CryptoKey(new Uint8Array(randomBytes(size)), hash, extractable, usages);
}

async function exportKey(format: string, key: CryptoKey): Promise<object> {
  if (!key.extractable) throw new TypeError('The key is not extractable');
  if (format === 'raw') return bufferOf(CryptoKey.bytesOf(key));
  if (format !== 'jwk') throw refusal(`A key as ${format}`);
  return { kty: 'oct', k: Buffer.from(CryptoKey.bytesOf(key)).toString('base64url') };
}

async function verify(algorithm: Named, key: CryptoKey, signature: Data, data: Data) {
  const expected = hmac(algorithm, key, data);
  const given = bytesIn(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const refused = MISSING.map((name) => {
  const refuse = async (): Promise<never> => {
    throw refusal(`crypto.subtle.${name}`);
  };
  return [name, refuse] as const;
});

/** In place of the global of that name. */
export const crypto = {
  getRandomValues,
  randomUUID,
  subtle: {
    ...Object.fromEntries(refused),
    digest: async (algorithm: Named, data: Data) =>
      bufferOf(createHash(nameOf(algorithm)).update(bytesIn(data)).digest()),
    importKey,
    generateKey,
    exportKey,
    sign: async (algorithm: Named, key: CryptoKey, data: Data) =>
      bufferOf(hmac(algorithm, key, data)),
    verify,
  },
};
