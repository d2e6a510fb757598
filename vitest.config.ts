import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // What starts an appliance asks nothing outside of this machine.
    env: { WATCHPOST_CANARY_GATEWAY: 'false', WATCHPOST_CANARY_RESOLVERS: 'false' },
    // Nothing waits for these but what hangs: on a busy machine everything takes ten times as long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    passWithNoTests: false,
  },
});
