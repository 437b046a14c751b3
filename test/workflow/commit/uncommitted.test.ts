import { expect, it } from 'vitest';
import { uncommitted, uncommittedReason } from '../../../src/workflow/commit/uncommitted.ts';

it.each([
  ['git says nothing', 'git says nothing. Commit it by hand'],
  ['git says: Cannot merge.', 'git says: Cannot merge. Commit it by hand'],
])('is told with what to do, and one period between them: %s', (reason, text) => {
  expect(uncommittedReason(uncommitted(reason))).toBe(text);
});
