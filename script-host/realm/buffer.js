/** Kinds of numbers by their names in Buffer, with their names in DataView and their bytes. */
const NUMBERS = [
  ['UInt8', 'Uint8', 1],
  ['Int8', 'Int8', 1],
  ['UInt16', 'Uint16', 2],
  ['Int16', 'Int16', 2],
  ['UInt32', 'Uint32', 4],
  ['Int32', 'Int32', 4],
  ['BigUInt64', 'BigUint64', 8],
  ['BigInt64', 'BigInt64', 8],
  ['Float', 'Float32', 4],
  ['Double', 'Float64', 8],
];

/** `readUInt32BE`, `writeInt16LE` and the others, where `UInt` may be written `Uint` too. */
export function installNumbers(prototype) {
  const viewOf = ({ buffer, byteOffset, byteLength }) =>
    new DataView(buffer, byteOffset, byteLength);
  for (const [name, kind, size] of NUMBERS) {
    for (const order of size === 1 ? [''] : ['LE', 'BE']) {
      const read = function (offset = 0) {
        return viewOf(this)[`get${kind}`](offset, order === 'LE');
      };
      const write = function (value, offset = 0) {
        viewOf(this)[`set${kind}`](offset, value, order === 'LE');
        return offset + size;
      };
      const kinds = `${kind}${order}`;
      prototype[`read${kinds}`] = prototype[`read${name}${order}`] = read;
      prototype[`write${kinds}`] = prototype[`write${name}${order}`] = write;
    }
  }
}

/** As much of Buffer as scripts about HTTP use: bytes to and from text, joining and comparing. */
export function makeBuffer() {
  const codec = makeCodecs();

  class Buffer extends Uint8Array {
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
      return new Buffer(size).fill(fill, 0, size, encoding);
    }
    static allocUnsafe(size) {
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
    write(text, offset = 0, encoding = 'utf8') {
      const bytes = codec(encoding)
        .from(text)
        .subarray(0, this.length - offset);
      this.set(bytes, offset);
      return bytes.length;
    }
    /** With bytes or a text again and again, as far as they go. */
    fill(value, start = 0, end = this.length, encoding = 'utf8') {
      if (typeof value === 'number') return super.fill(value, start, end);
      const bytes = Buffer.from(value, encoding);
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
    /** Of a byte, of bytes or of a text; -1 where there is none. */
    indexOf(value, from = 0, encoding = 'utf8') {
      if (typeof value === 'number') return super.indexOf(value & 0xff, from);
      const sought = codec('latin1').to(Buffer.from(value, encoding));
      return codec('latin1')
        .to(this)
        .indexOf(sought, from < 0 ? this.length + from : from);
    }
    includes(value, from = 0, encoding = 'utf8') {
      return this.indexOf(value, from, encoding) !== -1;
    }
    toString(encoding, start = 0, end = this.length) {
      return codec(encoding).to(this.subarray(start, end));
    }
    toJSON() {
      return { type: 'Buffer', data: Array.from(this) };
    }
  }

  installNumbers(Buffer.prototype);

  const atob = (text) => codec('latin1').to(codec('base64').from(String(text)));
  const btoa = (text) => {
    const chars = String(text);
    if (/[^\0-\xff]/.test(chars)) throw new RangeError('btoa takes characters up to U+00FF');
    return codec('base64').to(codec('latin1').from(chars));
  };
  return { Buffer, atob, btoa };
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
