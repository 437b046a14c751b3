import { expect, it } from 'vitest';
import { uncommitted, uncommittedReason } from '../../../src/workflow/git/uncommitted.ts';

it.each([
  ['git says nothing', 'git says nothing. Commit it by hand'],
  ['git says: Cannot merge.', 'git says: Cannot merge. Commit it by hand'],
])('is told with what to do, and one period between them: %s', (reason, text) => {
  expect(uncommittedReason(uncommitted(reason))).toBe(text);
});

it('a disk that is full, or a folder of somebody else, is a reason, too, and no end of a run', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(uncommittedReason(full)).toBe('ENOSPC: no space left on device, write. See to it, and try it again');
  const refused = Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES' });
  expect(uncommittedReason(refused)).toMatch(/^EACCES: permission denied, open/);
  expect(() => uncommittedReason(new Error('a bug'))).toThrow('a bug');
});
