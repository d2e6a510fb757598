const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bytes from and to text. Characters of `latin1` text are the bytes themselves. */
export function makeCodecs() {
  const values = new Map([...BASE64].map((char, index) => [char, index]));
  values.set('-', 62).set('_', 63);

  const fromUtf8 = (text) => fromLatin1(unescape(encodeURIComponent(text.toWellFormed())));
  const fromLatin1 = (text) => {
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
    return bytes;
  };
  const fromHex = (text) => {
    const whole = /^(?:[\da-f]{2})*/i.exec(text)[0];
    const bytes = new Uint8Array(whole.length / 2);
    for (let index = 0; index < bytes.length; index++) {
      bytes[index] = Number.parseInt(whole.slice(index * 2, index * 2 + 2), 16);
    }
    return bytes;
  };
  const fromBase64 = (text) => {
    const bytes = [];
    let bits = 0;
    let held = 0;
    for (const char of text) {
      if (char === '=') break;
      const value = values.get(char);
      if (value === undefined) continue;
      held = ((held << 6) | value) & 0xffffff;
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
    return Uint8Array.from(bytes);
  };

  const toLatin1 = (bytes) => {
    const parts = [];
    for (let start = 0; start < bytes.length; start += 4_096) {
      parts.push(String.fromCharCode.apply(null, bytes.subarray(start, start + 4_096)));
    }
    return parts.join('');
  };
  const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const toBase64 = (bytes) => {
    let text = '';
    for (let index = 0; index < bytes.length; index += 3) {
      const three = (bytes[index] << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
      for (let place = 18; place >= 0; place -= 6) text += BASE64[(three >> place) & 63];
    }
    const padding = (3 - (bytes.length % 3)) % 3;
    return text.slice(0, text.length - padding) + '='.repeat(padding);
  };
  const toBase64Url = (bytes) =>
    toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

  const utf8 = { from: fromUtf8, to: decodeUtf8 };
  const latin1 = { from: fromLatin1, to: toLatin1 };
  const table = {
    utf8,
    'utf-8': utf8,
    latin1,
    binary: latin1,
    ascii: latin1,
    hex: { from: fromHex, to: toHex },
    base64: { from: fromBase64, to: toBase64 },
    base64url: { from: fromBase64, to: toBase64Url },
  };
  return (encoding = 'utf8') => {
    const name = String(encoding).toLowerCase();
    if (!Object.hasOwn(table, name)) throw new TypeError(`Unknown encoding: ${encoding}`);
    return table[name];
  };
}

/** Lengths of what follows a lead byte, and the least code point that may be written so. */
const LEADS = [
  { mask: 0xe0, lead: 0xc0, more: 1, least: 0x80 },
  { mask: 0xf0, lead: 0xe0, more: 2, least: 0x800 },
  { mask: 0xf8, lead: 0xf0, more: 3, least: 0x10000 },
];

/** UTF-8 bytes as text; what is none becomes U+FFFD. */
export function decodeUtf8(bytes) {
  const parts = [];
  for (let index = 0; index < bytes.length; ) {
    const byte = bytes[index++];
    if (byte < 0x80) {
      parts.push(String.fromCharCode(byte));
      continue;
    }
    const kind = LEADS.find(({ mask, lead }) => (byte & mask) === lead);
    let point = kind ? byte & ~kind.mask & 0xff : -1;
    let read = 0;
    while (kind && read < kind.more && (bytes[index + read] & 0xc0) === 0x80) {
      point = (point << 6) | (bytes[index + read++] & 0x3f);
    }
    index += read;
    const whole = kind && read === kind.more && point >= kind.least && point <= 0x10ffff;
    const surrogate = point >= 0xd800 && point <= 0xdfff;
    parts.push(whole && !surrogate ? String.fromCodePoint(point) : '\ufffd');
  }
  return parts.join('');
}

/** As much of Buffer as scripts about HTTP use: bytes to and from text, joining and comparing. */
export function makeBuffer() {
  const codec = makeCodecs();

  class Buffer extends Uint8Array {
    static from(value, encoding) {
      const bytes = typeof value === 'string' ? codec(encoding).from(value) : value;
      if (bytes instanceof ArrayBuffer) return new Buffer(bytes);
      const source = bytes?.type === 'Buffer' ? bytes.data : bytes;
      const buffer = new Buffer(source.length);
      buffer.set(source);
      return buffer;
    }
    static alloc(size, fill = 0) {
      return new Buffer(size).fill(typeof fill === 'string' ? fill.charCodeAt(0) : fill);
    }
    static allocUnsafe(size) {
      return new Buffer(size);
    }
    static isBuffer(value) {
      return value instanceof Buffer;
    }
    static isEncoding(name) {
      return /^(?:utf-?8|latin1|binary|ascii|hex|base64(?:url)?)$/i.test(name);
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
      const view = ArrayBuffer.isView(bytes)
        ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        : new Uint8Array(bytes);
      const text = decodeUtf8(view);
      return text.startsWith('\ufeff') ? text.slice(1) : text;
    }
  }
  return { TextEncoder, TextDecoder };
}
