import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** What stands in a file in the place of a secret text. */
export interface Encrypted {
  /** `v1:` and, in base64url, 12 random bytes, the encrypted text and the 16 bytes of its tag. */
  $secret: string;
}

const CIPHER = 'aes-256-gcm';
const PREFIX = 'v1:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A sealed text that does not open: it was changed, or sealed with another key. */
export class DecryptionError extends Error {
  override readonly name = 'SealError';
}

/** Encrypts a text with a key of 32 bytes. */
export function encrypt(text: string, key: Buffer): Encrypted {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return { $secret: PREFIX + Buffer.concat(parts).toString('base64url') };
}

/** @throws SealError where the text was sealed with another key, or changed since */
export function decrypt({ $secret }: Encrypted, key: Buffer): string {
  if (!$secret.startsWith(PREFIX)) throw new DecryptionError('expected a secret of the form v1:…');
  const bytes = Buffer.from($secret.slice(PREFIX.length), 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new DecryptionError('the secret was cut off');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch (error) {
    throw new DecryptionError('secret.key is not the key that this was encrypted with', {
      cause: error,
    });
  }
}

function isEncrypted(value: unknown): value is Encrypted {
  if (typeof value !== 'object' || value === null) return false;
  return '$secret' in value && typeof value.$secret === 'string' && Object.keys(value).length === 1;
}

/** What {@link unsealAll} found. */
export interface Decrypted {
  value: unknown;
  /** How many texts were sealed. */
  count: number;
}

/**
 * A copy of what a file holds with every sealed text opened, wherever it stands.
 * @param path where the value stands, for the message
 * @throws SealError with the path of the first that does not open
 */
export function decryptAll(value: unknown, key: Buffer, path = 'records'): Decrypted {
  let count = 0;
  const walk = (inner: unknown, place: string): unknown => {
    if (isEncrypted(inner)) {
      count += 1;
      return unsealAt(inner, place, key);
    }
    if (Array.isArray(inner)) return inner.map((item, index) => walk(item, `${place}[${index}]`));
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([name, member]) => [name, walk(member, `${place}.${name}`)]),
    );
  };
  const opened = walk(value, path);
  return { value: opened, count };
}

function unsealAt(encrypted: Encrypted, path: string, key: Buffer): string {
  try {
    return decrypt(encrypted, key);
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    throw new DecryptionError(`${path}: ${error.message}`, { cause: error });
  }
}
