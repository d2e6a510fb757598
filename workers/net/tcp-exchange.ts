import type { Socket } from 'node:net';
import type { Deadline } from './deadline.ts';
import type { Marks } from './dial.ts';
import { type NetworkFailure, socketFailure } from './failure.ts';
import { listen } from './listeners.ts';

/** Most bytes read of a reply. */
export const MAX_REPLY_BYTES = 64 * 1024;
/**
 * How long a peer that has begun to answer may be quiet before its reply counts as complete. Few
 * protocols close after a reply, and none says where it ends in a way that all share.
 */
export const QUIET_MS = 200;

export type TcpExchangeOutcome =
  | { reply: Buffer; failure?: undefined }
  | { failure: NetworkFailure };

/**
 * Sends `data`, if there is any, and reads what comes back: until the peer closes, is quiet for
 * 200 ms after its first byte, or has sent 64 KiB. `endedAt` is the time of the last byte, or of
 * the close: waiting for silence is not counted. Leaves the socket to the caller. `where` names the
 * target for people.
 */
export function tcpExchange(
  socket: Socket,
  data: string | null,
  deadline: Deadline,
  marks: Marks,
  where: string,
): Promise<TcpExchangeOutcome> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytesRead = 0;
    let quiet: NodeJS.Timeout | undefined;
    let lastLook: NodeJS.Immediate | undefined;
    const finishExchange = (exchanged: TcpExchangeOutcome) => {
      clearTimeout(quiet);
      clearImmediate(lastLook);
      deadline.leave();
      stopListening();
      resolve(exchanged);
    };
    const complete = () =>
      finishExchange({ reply: Buffer.concat(pieces).subarray(0, MAX_REPLY_BYTES) });
    // After a standstill of ours the timer comes before what arrived meanwhile: that is read first.
    const becomeQuiet = () => {
      lastLook = setImmediate(complete);
    };
    const fail = (failure: NetworkFailure) => finishExchange({ failure });
    const takeBytes = (bytes: Buffer) => {
      marks.endedAt = performance.now();
      if (marks.respondedAt === null) {
        marks.respondedAt = marks.endedAt;
        deadline.enter('DOWNLOAD', fail);
        quiet = setTimeout(becomeQuiet, QUIET_MS);
      }
      clearImmediate(lastLook);
      quiet?.refresh();
      pieces.push(bytes);
      bytesRead += bytes.length;
      if (bytesRead >= MAX_REPLY_BYTES) complete();
    };
    const closed = () => {
      marks.endedAt = performance.now();
      complete();
    };
    // Many servers reset a connection that they have answered in full: the reply stands.
    const broken = (error: Error) =>
      pieces.length > 0 ? complete() : fail(socketFailure(error, where));
    const stopListening = listen(socket, {
      data: takeBytes,
      end: closed,
      close: closed,
      error: broken,
    });
    deadline.enter('RESPONSE', fail);
    if (data !== null) socket.write(data, 'utf8');
  });
}
