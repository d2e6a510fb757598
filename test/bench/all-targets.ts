import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { decode, encode } from 'dns-packet';
import { createAuthority } from '../fixtures/net/certificates.ts';

/** Servers of four protocols that do as little as one can; prints their ports as JSON. */
const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nup');
const HOST = '127.0.0.1';

const answer = (socket: Socket) => {
  socket.once('data', () => socket.end(ANSWER));
  // A client that leaves early is no matter.
  socket.on('error', () => socket.destroy());
};
const identity = await (await createAuthority()).issue([{ type: 'ip', value: HOST }]);
const servers = [createServer(answer), createTlsServer(identity, answer)];
const dns = createSocket('udp4');
dns.on('message', (query, { port, address }) => {
  const { id, questions } = decode(query);
  const answers = (questions ?? []).map(({ name }) => ({ type: 'A' as const, name, data: HOST }));
  dns.send(encode({ type: 'response', id, questions, answers }), port, address);
});
dns.bind(0, HOST);
for (const server of servers) server.listen({ port: 0, host: HOST, backlog: 4_096 });
await Promise.all([once(dns, 'listening'), ...servers.map((server) => once(server, 'listening'))]);
const [http, https] = servers.map((server) => (server.address() as AddressInfo).port);
console.log(JSON.stringify({ http, https, dns: dns.address().port }));
