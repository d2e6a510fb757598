import type { NetworkFailure } from '../net/failure.ts';
import { type DnsMessage, decodeMessage } from './message.ts';
import type { Question } from './question.ts';

/** A name server's socket address. */
export interface Endpoint {
  address: string;
  port: number;
}

/** What came of one question to one server; `answeredAt` is a reading of `performance.now()`. */
export type QueryOutcome =
  | { message: DnsMessage; answeredAt: number; failure?: undefined }
  | { failure: NetworkFailure };

/** What bytes from the asked server are: the answer, somebody else's answer, or no DNS at all. */
export type Reading =
  | { kind: 'answer'; message: DnsMessage }
  | { kind: 'stranger'; reason: string }
  | { kind: 'garbage'; reason: string };

/**
 * Reads bytes as the answer to a question. It is the answer only with the question's id and with
 * the question itself; an error may come back without its question (RFC 1035, 4.1.1, as servers
 * do for FORMERR).
 */
export function readAnswer(bytes: Buffer, id: number, question: Question): Reading {
  const decoded = decodeMessage(bytes);
  if ('malformed' in decoded) return { kind: 'garbage', reason: decoded.malformed };
  const { message } = decoded;
  if (!message.isResponse) return { kind: 'stranger', reason: 'it is a query' };
  if (message.id !== id) return { kind: 'stranger', reason: 'its id is another' };
  if (!repeats(message, question)) return { kind: 'stranger', reason: 'its question is another' };
  return { kind: 'answer', message };
}

function repeats({ questions, status }: DnsMessage, { name, recordType }: Question): boolean {
  const [first] = questions;
  if (first === undefined) return status !== 0;
  const asked = name === '.' ? '.' : `${name}.`;
  return (
    questions.length === 1 &&
    first.name.toLowerCase() === asked.toLowerCase() &&
    first.typeName === recordType
  );
}

/** The failure of a server that answers, but not with DNS or not to the question. */
export function protocolFailure(reason: string): NetworkFailure {
  const message = `The name server sent something that is no answer to the question: ${reason}`;
  return { cause: 'PROTOCOL_ERROR', code: 'EBADRESP', message };
}

/** `127.0.0.1:53`, `[::1]:53`. */
export function endpointText({ address, port }: Endpoint): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
