import { devNull } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/helpers/slowest-first.ts';
import { wholePrograms } from './test/helpers/whole-programs.ts';

/** What is done before tests are run, and after. */
export const globalSetup = [
  'test/helpers/no-leftovers.ts',
  'test/helpers/no-project-above.ts',
  'test/helpers/own-state-home.ts',
  'test/helpers/bundle-fixtures.ts',
];

export default defineConfig({
  // As NODE_ENV below.
  oxc: { jsx: { development: false } },
  test: {
    globalSetup,
    setupFiles: 'test/helpers/env-as-it-was.ts',
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'test/faults/**', 'test/agents/**', ...wholePrograms],
    // Processes, not threads: tests look at the children of theirs. Files share one: loading our sources anew for each
    // would take a quarter of the time. No file mocks a module or changes the process without changing it back.
    pool: 'forks',
    isolate: false,
    // More than a small machine has cores: a third of the time, a test waits for a process, a limit or a signal.
    maxWorkers: 5,
    sequence: { sequencer: SlowestFirst },
    // Far more than any of them takes: on a loaded machine only what hangs is to fail.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Five processes of tests share a machine, its processes and its clock: the reporter names each that needed it.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // By itself one second, within which a loaded machine may not even have looked once.
    expect: { poll: { timeout: 30_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    // The built program runs as it was built.
    server: { deps: { external: [/\/dist\/.*\.js$/] } },
    // The configuration of whoever runs the tests is none of theirs.
    env: {
      // React as it is in what is built: its checks for developers take twice the time of all the rest of a screen. They
      // are made by `npm run test:faults`.
      NODE_ENV: 'production',
      CLIFFORD_CONFIG: devNull,
      CLIFFORD_AGENT_CMD: '',
      // Signs are those of a terminal that shows them, on a machine that says nothing of it, too.
      LANG: 'C.UTF-8',
      // The programs that tests start compile nothing twice.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'),
    },
  },
});
