import { type DecodedPacket, decode } from 'dns-packet';
import { absolute, type DnsRecord, recordOf, typeName } from './records.ts';

/** An answer of a name server, decoded. */
export interface DnsMessage {
  id: number;
  isResponse: boolean;
  truncated: boolean;
  recursionDesired: boolean;
  recursionAvailable: boolean;
  authenticData: boolean;
  checkingDisabled: boolean;
  /** The number of the response code and its mnemonic. */
  status: number;
  responseCode: string;
  questions: { name: string; typeName: string }[];
  /** The answer section, cut at {@link MAX_ANSWER_CHARS}; `answerCount` counts it whole. */
  answers: DnsRecord[];
  answerCount: number;
}

/** What is kept of an answer section. A name may be written 20 times as long as it came. */
const MAX_ANSWER_CHARS = 65_536;
const STATUS_MASK = 0xf;

/** Decodes a message. `malformed` says why bytes are no DNS message. */
export function decodeMessage(bytes: Buffer): { message: DnsMessage } | { malformed: string } {
  try {
    return { message: messageOf(decode(bytes)) };
  } catch (error) {
    // Whatever a decoder of foreign bytes throws says that the bytes are wrong.
    return { malformed: error instanceof Error ? error.message : String(error) };
  }
}

/** Members of a decoded packet that its type declaration leaves out. */
type Decoded = DecodedPacket & { rcode: string };

function messageOf(packet: DecodedPacket): DnsMessage {
  const answers = (packet.answers ?? []).flatMap((answer) => recordOf(answer) ?? []);
  return {
    id: packet.id ?? 0,
    isResponse: packet.flag_qr,
    truncated: packet.flag_tc,
    recursionDesired: packet.flag_rd,
    recursionAvailable: packet.flag_ra,
    authenticData: packet.flag_ad,
    checkingDisabled: packet.flag_cd,
    status: (packet.flags ?? 0) & STATUS_MASK,
    responseCode: (packet as Decoded).rcode,
    questions: (packet.questions ?? []).map(({ name, type }) => ({
      name: absolute(name),
      typeName: typeName(type),
    })),
    answers: bounded(answers),
    answerCount: answers.length,
  };
}

function bounded(records: readonly DnsRecord[]): DnsRecord[] {
  let chars = 0;
  return records.filter((record) => {
    chars += record.name.length + record.text.length;
    return chars <= MAX_ANSWER_CHARS;
  });
}

/** `name. TTL IN TYPE data`, a line for each record, as `dig +noall +answer` prints them. */
export function textAnswer(message: DnsMessage): string {
  return message.answers
    .map(({ name, ttlSeconds, typeName, text }) => `${name} ${ttlSeconds} IN ${typeName} ${text}`)
    .join('\n');
}

/**
 * The message as JSON: the members of DNS over HTTPS, with the codes and types by
 * name, as the users' JSONPaths of the hosted service expect them.
 */
export function jsonAnswer(message: DnsMessage) {
  return {
    Status: message.responseCode,
    TC: message.truncated,
    RD: message.recursionDesired,
    RA: message.recursionAvailable,
    AD: message.authenticData,
    CD: message.checkingDisabled,
    Question: message.questions.map(({ name, typeName }) => ({ name, type: typeName })),
    Answer: message.answers.map(({ name, typeName, ttlSeconds, data }) => ({
      name,
      type: typeName,
      TTL: ttlSeconds,
      data,
    })),
  };
}
