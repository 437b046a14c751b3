import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: [
      'test/helpers/no-leftovers.ts',
      'test/helpers/no-project-above.ts',
      'test/helpers/bundle-fixtures.ts',
    ],
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'test/faults/**', 'test/agents/**'],
    // Tests start processes of their own: a process per file keeps their signals, env and cwd apart.
    pool: 'forks',
    maxWorkers: 2,
    // Far more than any of them takes: on a loaded machine only what hangs is to fail.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // By itself one second, within which a loaded machine may not even have looked once.
    expect: { poll: { timeout: 30_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    // The built program runs as it was built.
    server: { deps: { external: [/\/dist\/.*\.js$/] } },
    // The configuration of whoever runs the tests is none of theirs.
    env: {
      CLIFFORD_CONFIG: devNull,
      // The programs that tests start compile nothing twice.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'),
      XDG_STATE_HOME: join(tmpdir(), 'clifford-test-state'),
    },
  },
});
