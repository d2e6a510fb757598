import { domainToASCII } from 'node:url';
import { encode, RECURSION_DESIRED, type RecordType } from 'dns-packet';
import type { DNS_RECORD_TYPES } from '#shared/checks/dns.ts';
import type { RunFailure } from '#shared/runs/protocol.ts';

/** A record type that a check may ask for. */
export type QueryType = (typeof DNS_RECORD_TYPES)[number];

/** What is asked: a name in ASCII without its last dot (`.` is the root) and a record type. */
export interface Question {
  name: string;
  recordType: QueryType;
}

const LABEL_SEPARATORS = /[.\u3002\uff0e\uff61]/u;
const ASCII_LABEL = /^[A-Za-z0-9_*-]{1,63}$/;
/** Octets of a name on the wire with its length octets, less the root's (RFC 1035, 2.3.4). */
const MAX_NAME_LENGTH = 253;

/**
 * The question that a check asks. An internationalised label becomes its A-label; service labels
 * (`_dmarc`) and wildcards stay as they are. A name that cannot be asked is INVALID_TARGET.
 */
export function questionFor(
  query: string,
  recordType: QueryType,
): { question: Question } | { failure: RunFailure } {
  const labels = query.replace(/\.$/, '').split(LABEL_SEPARATORS).map(asciiLabel);
  const name = labels.join('.');
  if (query === '.') return { question: { name: '.', recordType } };
  if (name.length > MAX_NAME_LENGTH || !labels.every((label) => ASCII_LABEL.test(label))) {
    const message = `“${query}” is not a domain name that can be asked for`;
    return { failure: { cause: 'INVALID_TARGET', message } };
  }
  return { question: { name, recordType } };
}

/** Label by label: the whole name would turn `1.2.3.4` and service labels into something else. */
function asciiLabel(label: string): string {
  return /^\p{ASCII}*$/u.test(label) ? label : domainToASCII(label);
}

/** The question's type as dns-packet spells it: it does not know HTTPS (type 65, RFC 9460). */
export function packetType(recordType: QueryType): RecordType {
  return (recordType === 'HTTPS' ? 'UNKNOWN_65' : recordType) as RecordType;
}

/**
 * One recursive query as bytes. It carries no EDNS: every server understands the plain question,
 * and an answer over 512 bytes comes truncated and is asked for again over TCP.
 */
export function encodeQuery(question: Question, id: number): Buffer {
  return encode({
    type: 'query',
    id,
    flags: RECURSION_DESIRED,
    questions: [{ name: question.name, type: packetType(question.recordType), class: 'IN' }],
  });
}
