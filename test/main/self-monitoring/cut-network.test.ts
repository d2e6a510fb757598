import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  canMakeNetworks,
  GATEWAY,
  MONITOR_LINK,
  makeNetwork,
} from '../../fixtures/network-namespaces.ts';

const PORT = '8080';
const PROGRAM = fileURLToPath(new URL('programs/cut-network.ts', import.meta.url));
const SERVER = `require('node:http').createServer((_, answer) => answer.end('up'))
  .listen(${PORT}, '${GATEWAY}', () => console.log('listening'))`;

test.skipIf(!canMakeNetworks())(
  'a cut network is told from a dead target, by the real gateway of a real network namespace',
  async () => {
    using network = makeNetwork();
    const server = spawn('ip', ['netns', 'exec', network.gateway, process.execPath, '-e', SERVER]);
    try {
      await once(server.stdout, 'data');
      const args = ['netns', 'exec', network.monitor, process.execPath, PROGRAM];
      const program = spawn('ip', [...args, GATEWAY, MONITOR_LINK, PORT], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const output = (await program.stdout.toArray()).join('');
      const results = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(results).toEqual([
        { found: null, hasFailures: false, cause: null, hasErrors: false },
        {
          found: 'CONNECTION_REFUSED',
          hasFailures: true,
          cause: 'CONNECTION_REFUSED',
          hasErrors: false,
        },
        {
          found: expect.stringMatching(/^(UNREACHABLE|TIMEOUT_CONNECT)$/),
          hasFailures: false,
          hasErrors: true,
          cause: 'BLIND',
        },
        { found: null, hasFailures: false, cause: null, hasErrors: false },
      ]);
    } finally {
      server.kill();
    }
  },
);
