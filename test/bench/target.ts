import { createServer } from 'node:net';

/** A web server that does as little as one can: its CPU is not what is measured. */
const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nup');

const server = createServer((socket) => {
  socket.once('data', () => socket.end(ANSWER));
  // A client that leaves early is no matter.
  socket.on('error', () => socket.destroy());
});
server.listen({ port: Number(process.argv[2] ?? 0), host: '127.0.0.1', backlog: 4_096 }, () => {
  const address = server.address();
  if (address && typeof address === 'object') console.log(address.port);
});
