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

  const fromUtf16 = (text) => {
    const bytes = new Uint8Array(text.length * 2);
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      bytes[index * 2] = unit & 0xff;
      bytes[index * 2 + 1] = unit >> 8;
    }
    return bytes;
  };
  const toUtf16 = (bytes) => {
    const units = [];
    for (let index = 0; index + 1 < bytes.length; index += 2) {
      units.push(String.fromCharCode(bytes[index] | (bytes[index + 1] << 8)));
    }
    return units.join('');
  };

  const utf8 = { from: fromUtf8, to: decodeUtf8 };
  const utf16 = { from: fromUtf16, to: toUtf16 };
  const latin1 = { from: fromLatin1, to: toLatin1 };
  const table = {
    utf8,
    'utf-8': utf8,
    utf16le: utf16,
    'utf-16le': utf16,
    ucs2: utf16,
    'ucs-2': utf16,
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
