import { devNull } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts', 'test/gateway/policy/shell/commands-of-agents.test.ts'],
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
    // What decides over the commands of agents is asked a part of this by `npm test`, each time another.
    env: { CLIFFORD_CONFIG: devNull, SHELL_RUNS: process.env['SHELL_RUNS'] ?? '10000' },
  },
});
