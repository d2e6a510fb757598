import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Addresses of two namespaces that this test makes itself; nobody else sees them. */
const GATEWAY = '10.213.7.1';
const MONITOR = '10.213.7.2';
const LINK = 'wp0';
const PORT = '8080';
const PROGRAM = fileURLToPath(new URL('programs/cut-network.ts', import.meta.url));
const SERVER = `require('node:http').createServer((_, answer) => answer.end('up'))
  .listen(${PORT}, '${GATEWAY}', () => console.log('listening'))`;

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });

/** A monitor and its gateway, each in a network namespace, with a link between them. */
function makeNetwork() {
  const names = { gateway: `wp-gw-${process.pid}`, monitor: `wp-mon-${process.pid}` };
  const made: string[] = [];
  const network = {
    ...names,
    [Symbol.dispose]: () => {
      for (const name of made) ip('netns', 'delete', name);
    },
  };
  try {
    for (const name of Object.values(names)) {
      ip('netns', 'add', name);
      made.push(name);
    }
    ip(
      ...`link add ${LINK} netns ${names.monitor} type veth peer name wp1 netns ${names.gateway}`.split(
        ' ',
      ),
    );
    for (const [name, link, address] of [
      [names.gateway, 'wp1', GATEWAY],
      [names.monitor, LINK, MONITOR],
    ] as const) {
      ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', link);
      ip('-n', name, 'link', 'set', link, 'up');
    }
    ip('-n', names.monitor, 'route', 'add', 'default', 'via', GATEWAY);
  } catch (error) {
    network[Symbol.dispose]();
    throw error;
  }
  return network;
}

function canMakeNetworks(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    makeNetwork()[Symbol.dispose]();
    return true;
  } catch (error) {
    // No such program, or a sandbox that forbids it.
    if (error instanceof Error && ('code' in error || 'status' in error)) return false;
    throw error;
  }
}

const BELIEVED = { hasErrors: false, waitedMs: expect.any(Number) };

test.skipIf(!canMakeNetworks())(
  'a cut network is told from a dead target, by the real gateway of a real network namespace',
  async () => {
    using network = makeNetwork();
    const server = spawn('ip', ['netns', 'exec', network.gateway, process.execPath, '-e', SERVER]);
    try {
      await once(server.stdout, 'data');
      const args = ['netns', 'exec', network.monitor, process.execPath, PROGRAM];
      const program = spawn('ip', [...args, GATEWAY, LINK, PORT], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const output = (await program.stdout.toArray()).join('');
      const results = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(results).toEqual([
        { found: null, hasFailures: false, cause: null, ...BELIEVED },
        {
          found: 'CONNECTION_REFUSED',
          hasFailures: true,
          cause: 'CONNECTION_REFUSED',
          ...BELIEVED,
        },
        {
          found: expect.stringMatching(/^(UNREACHABLE|TIMEOUT_CONNECT)$/),
          hasFailures: false,
          hasErrors: true,
          cause: 'BLIND',
          waitedMs: expect.any(Number),
        },
        { found: null, hasFailures: false, cause: null, ...BELIEVED },
      ]);
      expect(Math.max(...results.map(({ waitedMs }) => waitedMs))).toBeLessThan(3_000);
    } finally {
      server.kill();
    }
  },
);
