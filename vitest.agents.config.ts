import { devNull } from 'node:os';
import { defineConfig } from 'vitest/config';
import { RecordResults } from './test/agents/harness/record-results.ts';

export default defineConfig({
  test: {
    include: ['test/agents/**/*.test.ts'],
    globalSetup: [
      'test/agents/harness/require-agents.ts',
      'test/helpers/no-leftovers.ts',
      'test/helpers/no-project-above.ts',
      'test/helpers/own-state-home.ts',
      'test/helpers/bundle-fixtures.ts',
    ],
    reporters: ['default', new RecordResults()],
    pool: 'forks',
    // An agent's start takes seconds of a core: two at a time.
    maxWorkers: 2,
    testTimeout: 5 * 60_000,
    hookTimeout: 60_000,
    // What runs here are programs of others, on machines of others: the reporter names each test that needed it.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // By itself one second, within which a loaded machine may not even have looked once.
    expect: { poll: { timeout: 30_000 } },
    env: { CLIFFORD_CONFIG: devNull },
  },
});
