import { devNull } from 'node:os';
import { defineConfig } from 'vitest/config';

/** `npm test` tries a part of the random cases of these, each time another: here are all of them. */
const properties = [
  'test/cli/mcp/edit-mcp-config.test.ts',
  'test/e2e/many-questions.test.ts',
  'test/gateway/fuzz.test.ts',
  'test/gateway/backtest/backtest.test.ts',
  'test/gateway/config/load-mcp-config.test.ts',
  'test/gateway/policy/policy-gate.properties.test.ts',
  'test/gateway/policy/state-folder.test.ts',
  'test/gateway/policy/shell/commands-of-agents.test.ts',
  'test/gateway/policy/shell/judge-limits.test.ts',
  'test/machines/asked-calls.test.ts',
  'test/machines/copy-state.test.ts',
  'test/tui/past/replay-equals-run.test.tsx',
  'test/views/events/compress-idle.test.ts',
  'test/workflow/history/history-cursor.test.ts',
  'test/workflow/history/task-tracks.test.ts',
  'test/workflow/transcripts/transcript-index.test.ts',
];

export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts', ...properties],
    globalSetup: [
      'test/faults/choose-seed.ts',
      'test/helpers/no-leftovers.ts',
      'test/helpers/no-project-above.ts',
      'test/helpers/own-state-home.ts',
      'test/helpers/bundle-fixtures.ts',
      'test/helpers/needs-chromium.ts',
    ],
    pool: 'forks',
    // One at a time: they fill the machine by themselves, and the instants they choose should be theirs.
    fileParallelism: false,
    testTimeout: 20 * 60_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
    env: { CLIFFORD_CONFIG: devNull, PROPERTY_RUNS: 'all', SHELL_RUNS: process.env['SHELL_RUNS'] ?? '10000' },
  },
});
