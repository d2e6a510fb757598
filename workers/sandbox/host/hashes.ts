import { createHash, createHmac } from 'node:crypto';
import { Refusal } from './refusal.ts';

/** Hashes that scripts may use. */
const ALGORITHMS: readonly string[] = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];
/** Bytes that one hash, cipher or signature takes. */
export const MAX_CRYPTO_BYTES = 5 * 1024 * 1024;

/** The name that Node has for a hash: `RSA-SHA256` and `SHA-256` are `sha256`. */
export function hashName(text: string): string {
  const name = text.toLowerCase().replace(/^rsa-/, '').replace('-', '');
  if (ALGORITHMS.includes(name)) return name;
  throw new Refusal(`Unknown hash "${text}": scripts may use ${ALGORITHMS.join(', ')}`);
}

/** Bytes that a realm writes as a character each. The realm counts too; that is not relied on. */
export function cryptoBytes(data: string): Buffer {
  if (data.length <= MAX_CRYPTO_BYTES) return Buffer.from(data, 'latin1');
  throw new Refusal('A hash, a cipher and a signature take at most 5 MB');
}

export function hash(algorithm: string, data: string): string {
  return createHash(hashName(algorithm)).update(cryptoBytes(data)).digest().toString('latin1');
}

export function hmac(algorithm: string, data: string, key: string): string {
  return createHmac(hashName(algorithm), cryptoBytes(key))
    .update(cryptoBytes(data))
    .digest()
    .toString('latin1');
}
