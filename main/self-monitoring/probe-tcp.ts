import { connect } from 'node:net';

/** How long a probe has to answer: it is close by, and failing runs wait for it. */
export const ANSWER_WITHIN_MS = 1_000;

/**
 * Tries to connect, sends nothing and hangs up. `refused` was said by the host itself, so that it is
 * there and so is the way to it; `nothing` is every other error, or silence.
 */
export function probeTcp(
  address: string,
  port: number,
  withinMs = ANSWER_WITHIN_MS,
): Promise<'connected' | 'refused' | 'nothing'> {
  const socket = connect({ host: address, port });
  return new Promise((resolve) => {
    const settle = (answer: 'connected' | 'refused' | 'nothing') => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    // After a standstill of this thread the timer fires before an answer that has arrived: it is read first.
    const timer = setTimeout(() => setImmediate(() => settle('nothing')), withinMs);
    socket.once('connect', () => settle('connected'));
    // Also errors after the end: without a listener they would throw.
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      settle(code === 'ECONNREFUSED' ? 'refused' : 'nothing'),
    );
  });
}
