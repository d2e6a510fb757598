/** `KeyObject` and what makes one. A key for signatures is a text in PEM, which the host has read. */
export function makeKeys({ P, ask }, { toBuffer, fromText }) {
  class KeyObject {
    #told;
    /** @param told its type; bytes of a secret, or what the host says of another */
    constructor(told) {
      this.#told = told;
    }
    get type() {
      return this.#told.type;
    }
    get symmetricKeySize() {
      return this.#told.bytes?.length;
    }
    get asymmetricKeyType() {
      return this.#told.asymmetricKeyType;
    }
    get asymmetricKeyDetails() {
      const { details } = this.#told;
      if (details === undefined) return undefined;
      const { publicExponent } = details;
      return { ...details, ...(publicExponent && { publicExponent: BigInt(publicExponent) }) };
    }
    equals(other) {
      const { type, bytes, pem } = KeyObject.partsOf(other);
      if (type !== this.type) return false;
      return bytes === undefined ? pem === this.#told.pem : bytes.equals(this.#told.bytes);
    }
    export({ format, type, passphrase, cipher } = {}) {
      const { bytes, pem, type: kind } = this.#told;
      if (bytes !== undefined) return exportSecret(bytes, format);
      if (passphrase !== undefined || cipher !== undefined) throw refuseEncrypted();
      const key = { kind, format: 'pem', data: pem };
      const text = ask('key-export', P.stringify({ key, format, type }));
      if (format === 'jwk') return P.parse(text);
      return format === 'pem' ? text : fromText(text);
    }
    static partsOf(key) {
      return key.#told;
    }
    static is(value) {
      return typeof value === 'object' && value !== null && #told in value;
    }
  }
  const exportSecret = (bytes, format) =>
    format === 'jwk' ? { kty: 'oct', k: bytes.toString('base64url') } : toBuffer(bytes);
  const refuseEncrypted = () =>
    new Error('Encrypted keys are not available in scripts (docs/guide/scripts.md)');

  /** A secret key, as text: of bytes, a text or a KeyObject. */
  const secretText = (key, encoding) =>
    (KeyObject.is(key) ? KeyObject.partsOf(key).bytes : toBuffer(key, encoding)).toString('latin1');

  /** What the host reads a key from: PEM, DER or a JWK. */
  const keyParameters = (kind, key) => {
    if (KeyObject.is(key)) return { kind, format: 'pem', data: KeyObject.partsOf(key).pem };
    if (typeof key === 'string' || bytesOf(key) !== null) {
      return { kind, format: 'pem', data: toBuffer(key).toString('latin1') };
    }
    const { key: inner, format = 'pem', type, encoding, passphrase } = key;
    if (passphrase !== undefined) throw refuseEncrypted();
    if (KeyObject.is(inner)) return keyParameters(kind, inner);
    if (format === 'jwk') return { kind, format, jwk: inner };
    return { kind, format, type, data: toBuffer(inner, encoding).toString('latin1') };
  };
  const read = (kind, key) =>
    new KeyObject(P.parse(ask('key', P.stringify(keyParameters(kind, key)))));

  const members = {
    KeyObject,
    createPrivateKey: (key) => read('private', key),
    createPublicKey: (key) => read('public', key),
    createSecretKey: (key, encoding) =>
      new KeyObject({ type: 'secret', bytes: toBuffer(key, encoding) }),
  };
  return { members, secretText, keyParameters };
}

/** `createSign`, `createVerify`, `sign`, `verify`, and what RSA encrypts and decrypts. */
export function makeSignatures({ P, ask }, { toText, fromText, shown, Gathered }, keys) {
  const { keyParameters } = keys;
  const parameters = (kind, algorithm, key) => {
    const { padding, saltLength, dsaEncoding } = key;
    const name = algorithm === null || algorithm === undefined ? '' : String(algorithm);
    const read = keyParameters(kind, key);
    return P.stringify({ algorithm: name, key: read, padding, saltLength, dsaEncoding });
  };
  const signText = (algorithm, data, key) =>
    ask('sign', parameters('private', algorithm, key), data);
  const isSigned = (algorithm, data, key, signature) =>
    ask('verify', parameters('public', algorithm, key), data, signature) === 'true';

  class Sign extends Gathered {
    #algorithm;
    constructor(algorithm) {
      super();
      this.#algorithm = algorithm;
    }
    sign(key, encoding) {
      return shown(signText(this.#algorithm, Gathered.text(this), key), encoding);
    }
  }
  class Verify extends Gathered {
    #algorithm;
    constructor(algorithm) {
      super();
      this.#algorithm = algorithm;
    }
    verify(key, signature, encoding) {
      return isSigned(this.#algorithm, Gathered.text(this), key, toText(signature, encoding));
    }
  }
  const sign = (algorithm, data, key) => fromText(signText(algorithm, toText(data), key));
  const verify = (algorithm, data, key, signature) =>
    isSigned(algorithm, toText(data), key, toText(signature));
  const rsa = (name, kind) => (key, data) => {
    const { padding, oaepHash, oaepLabel } = key;
    const label = oaepLabel === undefined ? undefined : toText(oaepLabel);
    const read = keyParameters(kind, key);
    const told = { name, key: read, padding, oaepHash, oaepLabel: label };
    return fromText(ask('rsa', P.stringify(told), toText(data)));
  };
  return {
    createSign: (algorithm) => new Sign(algorithm),
    createVerify: (algorithm) => new Verify(algorithm),
    sign: withCallback(3, sign),
    verify: withCallback(4, verify),
    publicEncrypt: rsa('publicEncrypt', 'public'),
    publicDecrypt: rsa('publicDecrypt', 'public'),
    privateEncrypt: rsa('privateEncrypt', 'private'),
    privateDecrypt: rsa('privateDecrypt', 'private'),
  };
}

/** A function that answers at once, or through a callback after its other arguments. */
export function withCallback(count, task) {
  return (...args) => {
    const done = args[count];
    return typeof done === 'function' ? callLater(() => task(...args), done) : task(...args);
  };
}

/** Calls back, after the script's turn, with what a task gives or throws. */
export function callLater(task, done) {
  queueMicrotask(() => {
    let result;
    try {
      result = task();
    } catch (error) {
      done(error);
      return;
    }
    done(null, result);
  });
}
