import { type Answer, encode, type RecordType } from 'dns-packet';
import { escaped, quoted, serviceBindingText } from './service-binding.ts';

/** One record of an answer section. */
export interface DnsRecord {
  /** With its last dot. */
  name: string;
  /** The mnemonic of the type, `TYPE…` where it has none (RFC 3597). */
  typeName: string;
  ttlSeconds: number;
  /** The data as a zone file has it, and as DNS-over-HTTPS JSON has it. */
  text: string;
  data: string;
}

type OrdinaryAnswer = Exclude<Answer, { type: 'OPT' }>;

/** A decoded answer as a record; null for OPT, which is no record but a note on the message. */
export function recordOf(answer: Answer): DnsRecord | null {
  if (answer.type === 'OPT') return null;
  const text = zoneText(answer);
  return {
    name: absolute(answer.name),
    typeName: typeName(answer.type),
    ttlSeconds: answer.ttl ?? 0,
    text,
    data: answer.type === 'TXT' ? txtStrings(answer.data).join('') : text,
  };
}

/** Types that dns-packet has no name for. */
const LATER_TYPES: Readonly<Record<string, string>> = { UNKNOWN_64: 'SVCB', UNKNOWN_65: 'HTTPS' };

/** The mnemonic of a type that dns-packet decoded. */
export function typeName(packetType: RecordType): string {
  return LATER_TYPES[packetType] ?? packetType.replace('UNKNOWN_', 'TYPE');
}

function zoneText(answer: OrdinaryAnswer): string {
  if (LATER_TYPES[answer.type]) return serviceBindingText(answer.data as Buffer);
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return answer.data;
    case 'CNAME':
    case 'DNAME':
    case 'NS':
    case 'PTR':
      return absolute(answer.data);
    case 'MX':
      return `${answer.data.preference ?? 0} ${absolute(answer.data.exchange)}`;
    case 'TXT':
      return txtBuffers(answer.data).map(quoted).join(' ');
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum } = answer.data;
      return [absolute(mname), absolute(rname), serial, refresh, retry, expire, minimum].join(' ');
    }
    default:
      return genericText(answer);
  }
}

/** Header, root name, type, class, TTL and the data's length, before the data itself. */
const GENERIC_DATA_OFFSET = 12 + 1 + 2 + 2 + 4 + 2;

/** `\# 4 0a000001`: the data of any type, known or not (RFC 3597, 5). */
function genericText(answer: OrdinaryAnswer): string {
  const bytes = encode({ answers: [{ ...answer, name: '.' }] }).subarray(GENERIC_DATA_OFFSET);
  return bytes.length === 0 ? '\\# 0' : `\\# ${bytes.length} ${bytes.toString('hex')}`;
}

type TxtData = Extract<Answer, { type: 'TXT' }>['data'];

function txtBuffers(data: TxtData): Buffer[] {
  return [data].flat().map((part) => Buffer.from(part));
}

function txtStrings(data: TxtData): string[] {
  return txtBuffers(data).map((part) => part.toString('utf8'));
}

/** A decoded name with its last dot; octets that would break a line are escaped. */
export function absolute(name: string): string {
  if (name === '.') return name;
  return /^[\x21-\x7e]+$/.test(name) && !name.includes('"')
    ? `${name}.`
    : `${escaped(Buffer.from(name), '"').replaceAll(' ', '\\032')}.`;
}
