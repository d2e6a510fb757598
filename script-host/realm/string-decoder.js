/** node:string_decoder: text of bytes that come in pieces, which may cut a character in two. */
export function makeStringDecoder(Buffer) {
  /** Bytes at the end that belong to a character of UTF-8 that is not whole yet. */
  const cutUtf8 = (bytes) => {
    for (let back = 1; back <= Math.min(3, bytes.length); back++) {
      const byte = bytes[bytes.length - back];
      if ((byte & 0xc0) === 0x80) continue;
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
      return length > back ? back : 0;
    }
    return 0;
  };
  const cutBase64 = (bytes) => bytes.length % 3;
  const CUTS = { utf8: cutUtf8, 'utf-8': cutUtf8, base64: cutBase64, base64url: cutBase64 };

  class StringDecoder {
    #rest = Buffer.alloc(0);
    constructor(encoding = 'utf8') {
      if (!Buffer.isEncoding(encoding)) throw new TypeError(`Unknown encoding: ${encoding}`);
      this.encoding = encoding.toLowerCase();
    }
    write(bytes) {
      const all = Buffer.concat([this.#rest, Buffer.from(bytes)]);
      const end = all.length - (CUTS[this.encoding]?.(all) ?? 0);
      this.#rest = all.slice(end);
      return all.slice(0, end).toString(this.encoding);
    }
    end(bytes) {
      const text = bytes === undefined ? '' : this.write(bytes);
      const rest = this.#rest.toString(this.encoding);
      this.#rest = Buffer.alloc(0);
      return text + rest;
    }
  }
  return { StringDecoder };
}
