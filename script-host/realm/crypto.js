/** Bytes that one hash takes in all. */
const MAX_HASHED_BYTES = 5 * 1024 * 1024;

/** What node:crypto has beyond that: calling it says so by name. */
const MISSING = [
  'createCipheriv',
  'createDecipheriv',
  'createDiffieHellman',
  'createECDH',
  'createPrivateKey',
  'createPublicKey',
  'createSecretKey',
  'createSign',
  'createVerify',
  'generateKeyPair',
  'generateKeyPairSync',
  'getCiphers',
  'hkdfSync',
  'pbkdf2',
  'pbkdf2Sync',
  'privateDecrypt',
  'privateEncrypt',
  'publicDecrypt',
  'publicEncrypt',
  'scrypt',
  'scryptSync',
  'sign',
  'verify',
];

function refuseMissing() {
  const entries = MISSING.map((name) => [
    name,
    () => {
      throw new Error(`crypto.${name} is not available in scripts (docs/guide/scripts.md)`);
    },
  ]);
  return Object.fromEntries(entries);
}

/** Hashes, keyed hashes and random values of node:crypto, reckoned by the host on copies. */
export function makeCrypto({ ask }, Buffer) {
  const toBuffer = (value, encoding) =>
    typeof value === 'string' ? Buffer.from(value, encoding) : Buffer.from(bytesOf(value) ?? value);
  const random = (size) => Buffer.from(ask('random', String(size)), 'latin1');

  class Hash {
    #parts = [];
    #bytes = 0;
    #reckon;
    constructor(reckon) {
      this.#reckon = reckon;
    }
    update(value, encoding) {
      const bytes = toBuffer(value, encoding);
      this.#bytes += bytes.length;
      if (this.#bytes > MAX_HASHED_BYTES) throw new RangeError('A hash takes at most 5 MB');
      this.#parts.push(bytes);
      return this;
    }
    digest(encoding) {
      const digest = Buffer.from(
        this.#reckon(Buffer.concat(this.#parts).toString('latin1')),
        'latin1',
      );
      return encoding === undefined || encoding === 'buffer' ? digest : digest.toString(encoding);
    }
  }

  const createHash = (algorithm) => new Hash((data) => ask('hash', String(algorithm), data));
  const createHmac = (algorithm, key) => {
    const secret = toBuffer(key).toString('latin1');
    return new Hash((data) => ask('hmac', String(algorithm), data, secret));
  };
  const hash = (algorithm, data, encoding = 'hex') =>
    createHash(algorithm).update(data).digest(encoding);
  const randomUUID = () => ask('uuid');
  const randomBytes = (size, done) => {
    const bytes = random(size);
    if (typeof done !== 'function') return bytes;
    queueMicrotask(() => done(null, bytes));
    return undefined;
  };
  const randomInt = (low, high) => {
    const [least, most] = high === undefined ? [0, low] : [low, high];
    return (
      least +
      Math.floor((random(6).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 48) * (most - least))
    );
  };
  const timingSafeEqual = (a, b) => {
    if (a.length !== b.length) throw new RangeError('Input buffers must have the same byte length');
    let difference = 0;
    for (let index = 0; index < a.length; index++) difference |= a[index] ^ b[index];
    return difference === 0;
  };
  const getRandomValues = (array) => {
    const view = bytesOf(array);
    view.set(random(view.length));
    return array;
  };
  const webcrypto = { getRandomValues, randomUUID };
  return {
    ...refuseMissing(),
    createHash,
    createHmac,
    hash,
    randomUUID,
    randomBytes,
    randomInt,
    timingSafeEqual,
    getRandomValues,
    webcrypto,
  };
}
