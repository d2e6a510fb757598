import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Whole appliances, and what changes its own process: each file in one of its own. */
const ALONE = ['test/{bin,browser,e2e,relay}/**/*.test.ts', 'test/workers/icmp/**/*.test.ts'];
/** Runs of scripts, which take long: they come before what only computes. */
const SCRIPTS = ['test/workers/{browser,sandbox}/**/*.test.ts'];
/** Tests of the interface, which is built before the first of them. */
const INTERFACE = ['test/browser/ui/**/*.test.ts'];

const EVERY = {
  pool: 'forks' as const,
  // What starts an appliance asks nothing outside of this machine.
  env: {
    WATCHPOST_CANARY_GATEWAY: 'false',
    WATCHPOST_CANARY_RESOLVERS: 'false',
    // Threads and processes that tests start find the code that others before them compiled, as those of `npm start` do.
    NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/watchpost', import.meta.url)),
  },
  // They only end what hangs: a machine may well be ten times as busy as ours.
  testTimeout: 120_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000 } },
};
const alone = { include: ALONE, exclude: INTERFACE };
const built = { include: INTERFACE, globalSetup: 'test/fixtures/build-interface.ts' };
const together = { include: ['test/**/*.test.ts'], exclude: [...ALONE, ...INTERFACE, ...SCRIPTS] };
/** Files share processes, which load what they test once instead of once a file. */
const SHARED = { ...EVERY, isolate: false };

export default defineConfig({
  test: {
    // One more than the cores of a small machine: many tests wait for timers and sockets, and a fourth would cost all of
    // them a tenth of their CPU time. Not among what projects set, since `--maxWorkers` would then change nothing.
    maxWorkers: 3,
    passWithNoTests: false,
    // They run in the order of their names: what takes long begins first.
    projects: [
      { test: { ...EVERY, name: 'alone', ...alone } },
      { test: { ...SHARED, name: 'interface', ...built } },
      { test: { ...SHARED, name: 'scripts', include: SCRIPTS } },
      { test: { ...SHARED, name: 'together', ...together } },
    ],
  },
});
