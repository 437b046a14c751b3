/**
 * Tests of whole programs: at a terminal of the system, in a browser, as processes that race or are killed. They wait more
 * than they compute, and `npm run test:e2e` runs them, so that `npm test` is done within three minutes.
 */
export const wholePrograms = [
  'test/e2e/**/*.test.{ts,tsx}',
  'test/cli/doctor-approvals.test.ts',
  'test/tui/pty/**/*.test.{ts,tsx}',
  'test/web/page/**/*.test.{ts,tsx}',
];
