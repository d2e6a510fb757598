import { defineConfig } from 'vitest/config';

/** What keeps no state outside of what a test makes: tests of it share processes, which load it once instead of once a file. */
const TOGETHER = [
  'test/shared/**/*.test.ts',
  'test/main/{alerting,api,incidents,monitoring,notifications}/**/*.test.ts',
  'test/main/{self-monitoring,services,sessions,slos,status-pages}/**/*.test.ts',
];
/** Tests of the interface, which is built before the first of them. */
const INTERFACE = ['test/browser/ui/**/*.test.ts'];

const EVERY = {
  pool: 'forks' as const,
  // What starts an appliance asks nothing outside of this machine.
  env: { WATCHPOST_CANARY_GATEWAY: 'false', WATCHPOST_CANARY_RESOLVERS: 'false' },
  // They only end what hangs: a machine may well be ten times as busy as ours.
  testTimeout: 120_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000 } },
};
const alone = { include: ['test/**/*.test.ts'], exclude: [...TOGETHER, ...INTERFACE] };
const built = { include: INTERFACE, globalSetup: 'test/fixtures/build-interface.ts' };

export default defineConfig({
  test: {
    // Twice the cores of a small machine: many tests wait for timers and sockets. Not among what
    // projects set, since `--maxWorkers` would then change nothing.
    maxWorkers: 4,
    passWithNoTests: false,
    // They run in the order of their names: what takes long begins first.
    projects: [
      { test: { ...EVERY, name: 'alone', ...alone } },
      { test: { ...EVERY, name: 'interface', ...built } },
      { test: { ...EVERY, name: 'together', include: TOGETHER, isolate: false } },
    ],
  },
});
