/** As much of Buffer as scripts about HTTP use: bytes to and from text, joining and comparing. */
export function makeBuffer() {
  const codec = makeCodecs();

  /** Where the arguments leave out numbers before the encoding, it comes in their place. */
  const withEncoding = (args) => {
    const at = args.findIndex((value) => typeof value === 'string');
    return at < 0 ? { numbers: args } : { numbers: args.slice(0, at), encoding: args[at] };
  };

  /** A character for each byte. */
  const textOf = (value, encoding) => codec('latin1').to(Buffer.from(value, encoding));

  class Buffer extends makeNumberBytes() {
    /** Of a text in an encoding; of memory, shared, from an offset on; of bytes, copied. */
    static from(value, encoding, length) {
      if (value instanceof ArrayBuffer) return new Buffer(value, encoding, length);
      const bytes = typeof value === 'string' ? codec(encoding).from(value) : value;
      const source = bytes?.type === 'Buffer' ? bytes.data : bytes;
      const buffer = new Buffer(source.length);
      buffer.set(source);
      return buffer;
    }
    static alloc(size, fill = 0, encoding = 'utf8') {
      return new Buffer(size).fill(fill, encoding);
    }
    static allocUnsafe(size) {
      return new Buffer(size);
    }
    static allocUnsafeSlow(size) {
      return new Buffer(size);
    }
    static isBuffer(value) {
      return value instanceof Buffer;
    }
    static isEncoding(name) {
      return /^(?:utf-?(?:8|16le)|ucs-?2|latin1|binary|ascii|hex|base64(?:url)?)$/i.test(name);
    }
    static byteLength(value, encoding) {
      return typeof value === 'string' ? codec(encoding).from(value).length : value.byteLength;
    }
    static concat(list, total = list.reduce((sum, { length }) => sum + length, 0)) {
      const joined = new Buffer(total);
      let end = 0;
      for (const part of list) {
        joined.set(part.subarray(0, total - end), end);
        end += Math.min(part.length, total - end);
      }
      return joined;
    }
    static compare(a, b) {
      for (let index = 0; index < Math.min(a.length, b.length); index++) {
        if (a[index] !== b[index]) return a[index] < b[index] ? -1 : 1;
      }
      return Math.sign(a.length - b.length);
    }
    equals(other) {
      return Buffer.compare(this, other) === 0;
    }
    slice(start, end) {
      return this.subarray(start, end);
    }
    /** write(text, offset?, length?, encoding?) */
    write(text, ...args) {
      const { numbers, encoding } = withEncoding(args);
      const [offset = 0, length = this.length - offset] = numbers;
      const room = Math.min(length, this.length - offset);
      const bytes = codec(encoding).from(text).subarray(0, room);
      this.set(bytes, offset);
      return bytes.length;
    }
    /** fill(value, start?, end?, encoding?): bytes or a text again and again, as far as they go. */
    fill(value, ...args) {
      const { numbers, encoding } = withEncoding(args);
      const [start = 0, end = this.length] = numbers;
      if (typeof value === 'number') return super.fill(value, start, end);
      const bytes = Buffer.from(value, encoding);
      if (bytes.length === 0 && value.length > 0) {
        throw new TypeError(`There is nothing to fill with in ${value} as ${encoding}`);
      }
      for (let index = start; index < end; index++) {
        this[index] = bytes.length === 0 ? 0 : bytes[(index - start) % bytes.length];
      }
      return this;
    }
    copy(target, targetStart = 0, start = 0, end = this.length) {
      const bytes = this.subarray(start, Math.min(end, start + target.length - targetStart));
      target.set(bytes, targetStart);
      return bytes.length;
    }
    /** indexOf(value, from?, encoding?): of a byte, bytes or a text; -1 where there is none. */
    indexOf(value, ...args) {
      const { numbers, encoding } = withEncoding(args);
      const [from = 0] = numbers;
      if (typeof value === 'number') return super.indexOf(value & 0xff, from);
      return textOf(this).indexOf(textOf(value, encoding), from < 0 ? this.length + from : from);
    }
    lastIndexOf(value, ...args) {
      const { numbers, encoding } = withEncoding(args);
      const [from = this.length] = numbers;
      if (typeof value === 'number') return super.lastIndexOf(value & 0xff, from);
      const end = from < 0 ? this.length + from : from;
      return end < 0 ? -1 : textOf(this).lastIndexOf(textOf(value, encoding), end);
    }
    includes(value, ...args) {
      return this.indexOf(value, ...args) !== -1;
    }
    toString(encoding, start = 0, end = this.length) {
      return codec(encoding).to(this.subarray(start, end));
    }
    toJSON() {
      return { type: 'Buffer', data: Array.from(this) };
    }
  }

  const atob = (text) => codec('latin1').to(codec('base64').from(String(text)));
  const btoa = (text) => {
    const chars = String(text);
    if (/[^\0-\xff]/.test(chars)) throw new RangeError('btoa takes characters up to U+00FF');
    return codec('base64').to(codec('latin1').from(chars));
  };
  return { Buffer, SlowBuffer: Buffer, atob, btoa };
}

/** TextEncoder and TextDecoder for UTF-8. */
export function makeEncoding(Buffer) {
  class TextEncoder {
    encoding = 'utf-8';
    encode(text = '') {
      return new Uint8Array(Buffer.from(String(text)));
    }
  }
  class TextDecoder {
    encoding = 'utf-8';
    constructor(label = 'utf-8') {
      if (!/^utf-?8$/i.test(label)) throw new RangeError(`Only UTF-8 is decoded, not ${label}`);
    }
    decode(bytes = new Uint8Array()) {
      const text = decodeUtf8(bytesOf(bytes) ?? new Uint8Array(bytes));
      return text.startsWith('\ufeff') ? text.slice(1) : text;
    }
  }
  return { TextEncoder, TextDecoder };
}
