import { Agent, request } from 'node:http';

/** Reads one address over and over for some seconds, `width` at a time; prints how often and how fast. */
const [address = '', seconds = '10', width = '50'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(width) });
const headers = { 'accept-encoding': 'gzip' };
const latencies: number[] = [];
const until = performance.now() + Number(seconds) * 1_000;
let bytes = 0;

function read(): Promise<void> {
  const began = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  request(address, { agent, headers }, (response) => {
    if (response.statusCode !== 200) return reject(new Error(`Answered ${response.statusCode}`));
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    response.on('end', () => {
      latencies.push(performance.now() - began);
      resolve();
    });
    response.on('error', reject);
  })
    .on('error', reject)
    .end();
  return promise;
}

await Promise.all(
  Array.from({ length: Number(width) }, async () => {
    while (performance.now() < until) await read();
  }),
);
agent.destroy();
latencies.sort((a, b) => a - b);
const at = (part: number) =>
  Number(latencies[Math.floor((latencies.length - 1) * part)]?.toFixed(1));
console.log(
  JSON.stringify({
    requestsPerSecond: Math.round(latencies.length / Number(seconds)),
    latencyMs: { p50: at(0.5), p99: at(0.99) },
    bytes: Math.round(bytes / latencies.length),
  }),
);
