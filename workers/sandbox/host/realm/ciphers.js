/** `createCipheriv` and `createDecipheriv`: the host keeps the cipher, and knows it by a number. */
export function makeCiphers({ P, ask }, { toText, fromText }, { secretText }, stringDecoder) {
  class Cipher {
    #id;
    #decoder = null;
    constructor(direction, algorithm, key, iv, options) {
      const parameters = { direction, algorithm: String(algorithm), key: secretText(key) };
      if (iv !== null && iv !== undefined) parameters.iv = toText(iv);
      if (options?.authTagLength !== undefined) parameters.authTagLength = options.authTagLength;
      this.#id = ask('cipher', P.stringify(parameters));
    }
    /** Texts go on where the last one ended: base64 may have cut a group of bytes in two. */
    #decoderOf(encoding) {
      if (this.#decoder === null) {
        const { StringDecoder } = stringDecoder();
        this.#decoder = new StringDecoder(encoding);
      }
      return this.#decoder;
    }
    update(data, inputEncoding, outputEncoding) {
      const bytes = fromText(ask('cipher-update', this.#id, toText(data, inputEncoding)));
      return isText(outputEncoding) ? this.#decoderOf(outputEncoding).write(bytes) : bytes;
    }
    final(outputEncoding) {
      const bytes = fromText(ask('cipher-final', this.#id));
      return isText(outputEncoding) ? this.#decoderOf(outputEncoding).end(bytes) : bytes;
    }
    setAutoPadding(isPadded = true) {
      ask('cipher-padding', this.#id, String(isPadded));
      return this;
    }
    setAAD(data) {
      ask('cipher-aad', this.#id, toText(data));
      return this;
    }
    static id(cipher) {
      return cipher.#id;
    }
  }
  const isText = (encoding) => encoding !== undefined && encoding !== 'buffer';

  class Cipheriv extends Cipher {
    getAuthTag() {
      return fromText(ask('cipher-tag', Cipher.id(this)));
    }
  }
  class Decipheriv extends Cipher {
    setAuthTag(tag, encoding) {
      ask('cipher-set-tag', Cipher.id(this), toText(tag, encoding));
      return this;
    }
  }
  return {
    createCipheriv: (...args) => new Cipheriv('encrypt', ...args),
    createDecipheriv: (...args) => new Decipheriv('decrypt', ...args),
    getCiphers: () => P.parse(ask('ciphers')),
  };
}
