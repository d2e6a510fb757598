import type { Socket } from 'node:net';

/** What a runner listens to on a socket. */
export interface SocketListeners {
  connect?: () => void;
  secureConnect?: () => void;
  data?: (bytes: Buffer) => void;
  end?: () => void;
  close?: () => void;
  timeout?: () => void;
  error?: (error: Error) => void;
}

/** Attaches listeners and answers what takes off exactly these: Node keeps its own on a socket. */
export function listen(socket: Socket, listeners: SocketListeners): () => void {
  const entries = Object.entries(listeners) as [string, (value: unknown) => void][];
  for (const [event, listener] of entries) socket.on(event, listener);
  return () => {
    for (const [event, listener] of entries) socket.off(event, listener);
  };
}

/**
 * Closes a socket that nobody waits for any more. What it still reports on its way out says nothing
 * that is not known, yet without a listener it would end the thread.
 */
export function abandon(socket: Socket): void {
  socket.on('error', ignoreLateError);
  socket.destroy();
}

function ignoreLateError(): void {
  // See abandon.
}
