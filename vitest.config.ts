import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/helpers/no-leftovers.ts'],
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/faults/**'],
    // Tests start processes of their own: a process per file keeps their signals, env and cwd apart.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
