import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
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
  },
});
