import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import type { Deadline } from '../net/deadline.ts';
import { socketFailure } from '../net/failure.ts';
import type { JobLog } from '../net/job-log.ts';
import {
  type Endpoint,
  endpointText,
  protocolFailure,
  type QueryOutcome,
  readAnswer,
} from './query.ts';
import { encodeQuery, type Question } from './question.ts';

/** Milliseconds without an answer after which the question is sent again: packets get lost. */
const RESEND_AFTER_MS = 1_000;

/**
 * Asks one server over UDP until the deadline, with a random id from a random port. The socket is
 * connected: the system drops what other addresses send, and reports a refused port. Datagrams
 * that do not belong to the question are ignored, since anybody may forge them.
 */
export function askOverUdp(
  question: Question,
  server: Endpoint,
  deadline: Deadline,
  log: JobLog,
): Promise<QueryOutcome> {
  const id = randomInt(0x1_0000);
  const query = encodeQuery(question, id);
  const socket = createSocket(server.address.includes(':') ? 'udp6' : 'udp4');
  return new Promise((resolve) => {
    let resend: NodeJS.Timeout | undefined;
    let settled = false;
    const finishQuery = (asked: QueryOutcome) => {
      if (settled) return;
      settled = true;
      deadline.leave();
      clearInterval(resend);
      socket.close();
      resolve(asked);
    };
    const fail = (error: Error) =>
      finishQuery({ failure: { ...server, ...socketFailure(error, endpointText(server)) } });
    socket.on('error', fail);
    socket.on('message', (bytes) => {
      const answeredAt = performance.now();
      const reading = readAnswer(bytes, id, question);
      if (reading.kind === 'answer') finishQuery({ message: reading.message, answeredAt });
      else if (reading.kind === 'garbage')
        finishQuery({ failure: protocolFailure(reading.reason) });
      else log.add('WARN', `Ignored a datagram of the name server: ${reading.reason}`);
    });
    deadline.enter('RESPONSE', (failure) => finishQuery({ failure: { ...failure, ...server } }));
    if (settled) return;
    connect(socket, server, (error) => {
      if (settled) return;
      if (error) return fail(error);
      const send = () => socket.send(query, (sendError) => sendError && fail(sendError));
      send();
      resend = setInterval(send, RESEND_AFTER_MS);
    });
  });
}

function connect(socket: Socket, { address, port }: Endpoint, done: (error?: Error) => void): void {
  socket.connect(port, address, done as () => void);
}
