import { defineConfig } from 'vitest/config';

/** What keeps no state outside of what a test makes: tests of it share processes, which load it once instead of once a file. */
const TOGETHER = [
  'test/shared/**/*.test.ts',
  'test/main/{alerting,api,incidents,monitoring,notifications}/**/*.test.ts',
  'test/main/{self-monitoring,services,sessions,slos,status-pages}/**/*.test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    // Twice the cores of a small machine: many tests wait for timers and sockets.
    maxWorkers: 4,
    // What starts an appliance asks nothing outside of this machine.
    env: { WATCHPOST_CANARY_GATEWAY: 'false', WATCHPOST_CANARY_RESOLVERS: 'false' },
    // They only end what hangs: a machine may well be ten times as busy as ours.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    passWithNoTests: false,
    // They run in the order of their names: what takes long begins first.
    projects: [
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: TOGETHER } },
      { extends: true, test: { name: 'together', include: TOGETHER, isolate: false } },
    ],
  },
});
