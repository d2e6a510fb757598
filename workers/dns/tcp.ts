import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { type DialContext, dial, type Marks } from '../net/dial.ts';
import { type NetworkFailure, socketFailure } from '../net/failure.ts';
import { abandon, listen } from '../net/listeners.ts';
import {
  type Endpoint,
  endpointText,
  protocolFailure,
  type QueryOutcome,
  readAnswer,
} from './query.ts';
import { encodeQuery, type Question } from './question.ts';

/**
 * Asks one server over a TCP connection of its own, each message after its length in two octets
 * (RFC 1035, 4.2.2). `marks` tell when the connection stood.
 */
export async function askOverTcp(
  question: Question,
  server: Endpoint,
  context: DialContext,
  marks: Marks,
): Promise<QueryOutcome> {
  const family = server.address.includes(':') ? 'IPv6' : 'IPv4';
  const target = { host: server.address, port: server.port, family, tls: null } as const;
  const dialled = await dial(target, context, marks);
  if (dialled.failure) return { failure: dialled.failure };
  return exchange(question, server, dialled.socket, context);
}

function exchange(
  question: Question,
  server: Endpoint,
  socket: Socket,
  { deadline }: DialContext,
): Promise<QueryOutcome> {
  const id = randomInt(0x1_0000);
  return new Promise((resolve) => {
    const finishQuery = (asked: QueryOutcome) => {
      deadline.leave();
      unlisten();
      abandon(socket);
      resolve(asked);
    };
    const fail = (failure: NetworkFailure) => finishQuery({ failure: { ...failure, ...server } });
    const frame = new Frame();
    const unlisten = listen(socket, {
      data: (chunk) => {
        const answeredAt = performance.now();
        const bytes = frame.add(chunk);
        if (bytes) finishQuery(asAsked(bytes, id, question, answeredAt));
      },
      error: (error) => fail(socketFailure(error, endpointText(server))),
      end: () => fail(closedEarly(server)),
    });
    deadline.enter('RESPONSE', fail);
    socket.write(withLength(encodeQuery(question, id)));
  });
}

function asAsked(bytes: Buffer, id: number, question: Question, answeredAt: number): QueryOutcome {
  const reading = readAnswer(bytes, id, question);
  if (reading.kind === 'answer') return { message: reading.message, answeredAt };
  return { failure: protocolFailure(reading.reason) };
}

function closedEarly(server: Endpoint): NetworkFailure {
  const message = `The name server closed the connection before it had answered: ${endpointText(server)}`;
  return { cause: 'CONNECTION_RESET', code: 'ECONNRESET', message };
}

function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

/** Puts together the first message of a stream; at most 64 KiB are ever waited for. */
class Frame {
  #head: Buffer = Buffer.alloc(0);
  readonly #chunks: Buffer[] = [];
  #length = 0;

  /** The message, once it is there whole. Joins the chunks once, however many there are. */
  add(chunk: Buffer): Buffer | null {
    if (this.#head.length < 2) this.#head = Buffer.concat([this.#head, chunk.subarray(0, 2)]);
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#head.length < 2) return null;
    const end = 2 + this.#head.readUInt16BE(0);
    return this.#length < end ? null : Buffer.concat(this.#chunks).subarray(2, end);
  }
}
