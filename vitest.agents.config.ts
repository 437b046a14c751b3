import { devNull } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/agents/**/*.test.ts'],
    globalSetup: ['test/agents/harness/require-agents.ts', 'test/helpers/no-leftovers.ts'],
    pool: 'forks',
    // An agent's start takes seconds of a core: two at a time.
    maxWorkers: 2,
    testTimeout: 5 * 60_000,
    hookTimeout: 60_000,
    env: { CLIFFORD_CONFIG: devNull },
  },
});
