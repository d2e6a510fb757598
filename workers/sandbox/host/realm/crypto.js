/** Bytes that one hash or signature takes in all. */
const MAX_HASHED_BYTES = 5 * 1024 * 1024;

/** What node:crypto has beyond that: calling it says so by name. */
const MISSING = [
  'createDiffieHellman',
  'createECDH',
  'diffieHellman',
  'generateKeyPair',
  'generateKeyPairSync',
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

/** Bytes between a script, where they are a Buffer, and its host, where they are a text. */
export function makeByteTools(Buffer) {
  const toBuffer = (value, encoding) =>
    typeof value === 'string' ? Buffer.from(value, encoding) : Buffer.from(bytesOf(value) ?? value);
  const toText = (value, encoding) => toBuffer(value, encoding).toString('latin1');
  const fromText = (text) => Buffer.from(text, 'latin1');
  /** Bytes as a script wants them: a Buffer, or a text in an encoding. */
  const shown = (text, encoding) => {
    const bytes = fromText(text);
    return encoding === undefined || encoding === 'buffer' ? bytes : bytes.toString(encoding);
  };

  /** Bytes that come in pieces, up to a bound. */
  class Gathered {
    #parts = [];
    #bytes = 0;
    update(value, encoding) {
      const bytes = toBuffer(value, encoding);
      this.#bytes += bytes.length;
      if (this.#bytes > MAX_HASHED_BYTES) throw new RangeError('A hash takes at most 5 MB');
      this.#parts.push(bytes);
      return this;
    }
    static text(gathered) {
      return Buffer.concat(gathered.#parts).toString('latin1');
    }
  }
  return { toBuffer, toText, fromText, shown, Gathered };
}

/** Hashes, ciphers, signatures, keys and random values of node:crypto, computed by the host on copies. */
export function makeCrypto(realm, calls, { Buffer }, stringDecoder) {
  const { ask, P } = realm;
  const tools = makeByteTools(Buffer);
  const keys = makeKeys(realm, tools);
  return {
    ...refuseMissing(),
    ...makeHashes(realm, tools, keys),
    ...makeRandom(realm, Buffer),
    ...makeCiphers(realm, tools, keys, stringDecoder),
    ...keys.members,
    ...makeSignatures(realm, tools, keys),
    ...makeDerivations(realm, tools, keys, calls),
    get constants() {
      return P.parse(ask('constants', 'crypto'));
    },
  };
}

export function makeHashes({ ask }, { toText, shown, Gathered }, { secretText }) {
  class Hash extends Gathered {
    #compute;
    constructor(compute) {
      super();
      this.#compute = compute;
    }
    digest(encoding) {
      return shown(this.#compute(Gathered.text(this)), encoding);
    }
  }
  const createHash = (algorithm) => new Hash((data) => ask('hash', String(algorithm), data));
  const createHmac = (algorithm, key) => {
    const secret = secretText(key);
    return new Hash((data) => ask('hmac', String(algorithm), data, secret));
  };
  const hash = (algorithm, data, encoding = 'hex') =>
    shown(ask('hash', String(algorithm), toText(data)), encoding);
  return { createHash, createHmac, hash };
}

export function makeRandom({ ask }, Buffer) {
  const random = (size) => Buffer.from(ask('random', String(size)), 'latin1');
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
  const randomFillSync = (array, offset = 0, size = array.byteLength - offset) => {
    bytesOf(array).set(random(size), offset);
    return array;
  };
  const webcrypto = { getRandomValues, randomUUID };
  return {
    randomUUID,
    randomBytes,
    randomInt,
    randomFillSync,
    timingSafeEqual,
    getRandomValues,
    webcrypto,
  };
}
