/**
 * SVCB and HTTPS record data (RFC 9460), which dns-packet does not know, in presentation form.
 * Every function throws a RangeError where the data ends too early.
 */

/** Names of the parameters by key (RFC 9460, 14.3.2; RFC 9461); others are `keyNNN`. */
const KEY_NAMES = [
  'mandatory',
  'alpn',
  'no-default-alpn',
  'port',
  'ipv4hint',
  'ech',
  'ipv6hint',
  'dohpath',
] as const;
type KeyName = (typeof KEY_NAMES)[number];

const VALUE_FORMS = {
  mandatory: (value) => uint16s(value).map(keyName).join(','),
  alpn: (value) => quoted(Buffer.from(alpnIds(value).join(','))),
  'no-default-alpn': () => '',
  port: (value) => String(value.readUInt16BE(0)),
  ipv4hint: (value) => chunks(value, 4).map(ipv4Text).join(','),
  ech: (value) => value.toString('base64'),
  ipv6hint: (value) => chunks(value, 16).map(ipv6Text).join(','),
  dohpath: (value) => quoted(value),
} satisfies { [K in KeyName]: (value: Buffer) => string };

/** `1 svc.example. alpn="h2,h3" port=8443` for the record data of an SVCB or HTTPS record. */
export function serviceBindingText(data: Buffer): string {
  const target = targetName(data, 2);
  const parts = [String(data.readUInt16BE(0)), target.name];
  for (let offset = target.end; offset < data.length; ) {
    const key = data.readUInt16BE(offset);
    const valueEnd = offset + 4 + data.readUInt16BE(offset + 2);
    parts.push(parameterText(key, slice(data, offset + 4, valueEnd)));
    offset = valueEnd;
  }
  return parts.join(' ');
}

function parameterText(key: number, value: Buffer): string {
  const known = KEY_NAMES[key];
  const text = known ? VALUE_FORMS[known](value) : quoted(value);
  return text === '' || text === '""' ? keyName(key) : `${keyName(key)}=${text}`;
}

function keyName(key: number): string {
  return KEY_NAMES[key] ?? `key${key}`;
}

/** The target is never compressed (RFC 9460, 2.2); `.` stands for the owner's own name. */
function targetName(data: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let offset = start;
  for (let length = data.readUInt8(offset++); length > 0; length = data.readUInt8(offset++)) {
    labels.push(escaped(slice(data, offset, offset + length), '.'));
    offset += length;
  }
  return { name: `${labels.join('.')}.`, end: offset };
}

function alpnIds(value: Buffer): string[] {
  const ids: string[] = [];
  for (let offset = 0; offset < value.length; ) {
    const end = offset + 1 + value.readUInt8(offset);
    ids.push(slice(value, offset + 1, end).toString('latin1'));
    offset = end;
  }
  return ids;
}

function uint16s(value: Buffer): number[] {
  return chunks(value, 2).map((chunk) => chunk.readUInt16BE(0));
}

function chunks(value: Buffer, size: number): Buffer[] {
  const count = Math.ceil(value.length / size);
  return Array.from({ length: count }, (_, i) => slice(value, i * size, (i + 1) * size));
}

function ipv4Text(address: Buffer): string {
  return address.join('.');
}

function ipv6Text(address: Buffer): string {
  const groups = uint16s(address).map((group) => group.toString(16));
  // The URL parser writes an address in its one canonical form (RFC 5952).
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

function slice(data: Buffer, start: number, end: number): Buffer {
  if (end > data.length) throw new RangeError(`record data ends at ${data.length}, not ${end}`);
  return data.subarray(start, end);
}

/** A character string in quotes, as in a zone file (RFC 1035, 5.1). */
export function quoted(bytes: Buffer): string {
  return `"${escaped(bytes, '"')}"`;
}

/** Octets as text; the backslash, those of `special` and what cannot be printed are escaped. */
export function escaped(bytes: Buffer, special: string): string {
  let text = '';
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    if (char === '\\' || special.includes(char)) text += `\\${char}`;
    else if (byte < 32 || byte > 126) text += `\\${String(byte).padStart(3, '0')}`;
    else text += char;
  }
  return text;
}
