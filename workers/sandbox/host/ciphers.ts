import { createCipheriv, createDecipheriv } from 'node:crypto';
import { cryptoBytes, MAX_CRYPTO_BYTES } from './hashes.ts';
import { Parameters } from './parameters.ts';
import { asNodeDoes, Refusal } from './refusal.ts';

const SIZES = [128, 192, 256];
const MODES = ['cbc', 'cfb', 'ctr', 'ecb', 'gcm', 'ofb'];

/** The ciphers that scripts may use. */
export const CIPHERS: readonly string[] = [
  ...SIZES.flatMap((size) => MODES.map((mode) => `aes-${size}-${mode}`)),
  ...SIZES.map((size) => `aes${size}`),
  'chacha20-poly1305',
  'des-ede3-cbc',
];
/** Ciphers that one script may make. */
const MAX_CIPHERS = 1_000;

/** What both directions of every mode have together; Node refuses what does not fit. */
interface Cipher {
  update(data: Buffer): Buffer;
  final(): Buffer;
  setAAD(data: Buffer): unknown;
  getAuthTag(): Buffer;
  setAuthTag(tag: Buffer): unknown;
  setAutoPadding(isPadded: boolean): unknown;
}

/** The ciphers of one script: unlike a hash, a cipher gives bytes before it has all of them. */
export class Ciphers {
  readonly #made: Cipher[] = [];
  #bytes = 0;

  /** Makes a cipher; its number. */
  make(text: string): string {
    if (this.#made.length >= MAX_CIPHERS) {
      throw new Refusal(`A script may make at most ${MAX_CIPHERS} ciphers`);
    }
    this.#made.push(cipherOf(Parameters.parse(text)));
    return String(this.#made.length - 1);
  }

  update(id: string, data: string): string {
    this.#bytes += data.length;
    if (this.#bytes > MAX_CRYPTO_BYTES) throw new Refusal('The ciphers of a script take 5 MB');
    const bytes = cryptoBytes(data);
    return asNodeDoes(() => this.#of(id).update(bytes).toString('latin1'));
  }

  final(id: string): string {
    return asNodeDoes(() => this.#of(id).final().toString('latin1'));
  }

  setPadding(id: string, isPadded: string): string {
    asNodeDoes(() => this.#of(id).setAutoPadding(isPadded === 'true'));
    return '';
  }

  setAad(id: string, data: string): string {
    const bytes = cryptoBytes(data);
    asNodeDoes(() => this.#of(id).setAAD(bytes));
    return '';
  }

  tag(id: string): string {
    return asNodeDoes(() => this.#of(id).getAuthTag().toString('latin1'));
  }

  setTag(id: string, tag: string): string {
    const bytes = cryptoBytes(tag);
    asNodeDoes(() => this.#of(id).setAuthTag(bytes));
    return '';
  }

  #of(id: string): Cipher {
    const cipher = this.#made[Number(id)];
    if (cipher === undefined) throw new Error(`There is no cipher ${id}`);
    return cipher;
  }
}

function cipherOf(parameters: Parameters): Cipher {
  const algorithm = parameters.text('algorithm').toLowerCase();
  if (!CIPHERS.includes(algorithm)) throw unknownCipher(algorithm);
  const key = parameters.bytes('key') ?? Buffer.alloc(0);
  const iv = parameters.bytes('iv') ?? null;
  const make = parameters.text('direction') === 'decrypt' ? createDecipheriv : createCipheriv;
  const options = parameters.numbers(['authTagLength']);
  return asNodeDoes(() => make(algorithm, key, iv, options) as unknown as Cipher);
}

function unknownCipher(algorithm: string): Refusal {
  const message = `Unknown cipher "${algorithm}": scripts may use ${CIPHERS.join(', ')}`;
  return new Refusal(message, { name: 'RangeError', code: 'ERR_CRYPTO_UNKNOWN_CIPHER' });
}
