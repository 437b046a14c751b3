import { devNull } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: [
      'test/faults/choose-seed.ts',
      'test/helpers/no-leftovers.ts',
      'test/helpers/no-project-above.ts',
      'test/helpers/bundle-fixtures.ts',
    ],
    pool: 'forks',
    // One at a time: they fill the machine by themselves, and the instants they choose should be theirs.
    fileParallelism: false,
    testTimeout: 20 * 60_000,
    hookTimeout: 60_000,
    env: { CLIFFORD_CONFIG: devNull },
  },
});
