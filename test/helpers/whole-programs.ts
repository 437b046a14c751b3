/**
 * Tests of whole programs: at a terminal of the system, in a shell, in a browser, as processes that race or are killed, in
 * worktrees of git, beside programs that somebody else publishes. `npm run test:e2e` runs them, so that `npm test` is done within three minutes.
 */
export const wholePrograms = [
  'test/e2e/**/*.test.{ts,tsx}',
  'test/tui/pty/**/*.test.{ts,tsx}',
  'test/web/page/**/*.test.{ts,tsx}',
  'test/tui/every-key/**/*.test.{ts,tsx}',
  'test/events/jetstream/access.test.ts',
  'test/runner/commit.test.ts',
  'test/runner/editor/lifecycle.test.ts',
  'test/runner/jobs/bring-here.test.ts',
  'test/runner/parallel/**/*.test.ts',
  'test/runner/supervision.test.ts',
  'test/mcp/server/serve.test.ts',
  'test/web/server/other-machine.test.ts',
  'test/cli/attach-start.test.ts',
  'test/cli/clean.test.ts',
  'test/cli/odd-files.test.ts',
  'test/cli/overview.test.ts',
  'test/cli/replay-screen.test.ts',
  'test/cli/run/notify.test.ts',
  'test/cli/run/parallel.test.ts',
  'test/cli/run/run-plain.test.ts',
  'test/cli/serve.test.ts',
  'test/cli/temporary-edits.test.ts',
  'test/workflow/worktree/**/*.test.ts',
];
