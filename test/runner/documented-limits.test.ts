import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { TERM_GRACE_MS } from '../../src/lib/processes/terminate.ts';

it('an agent has the five seconds after SIGTERM that docs/supervision.md names', () => {
  const page = readFileSync(new URL('../../docs/supervision.md', import.meta.url), 'utf8');
  expect(page).toContain('SIGTERM to the agent and everything it started, five seconds, SIGKILL');
  expect(TERM_GRACE_MS).toBe(5_000);
});
