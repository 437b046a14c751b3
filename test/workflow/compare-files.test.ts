import { expect, it } from 'vitest';
import { seeChanges } from '../../src/views/calls/seen-changes.ts';
import { askApproval } from '../../src/workflow/requests/approval.ts';
import { compareFiles } from '../../src/workflow/requests/compare-files.ts';
import { approval } from '../helpers/approval.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

it('files that are read too slowly are said not to be compared, in time, and a yes to that has a word, too', async () => {
  const { project } = await projectWithSprint();
  const args = { path: 'a.txt', content: 'one\n2\n' };
  const request = await askApproval(project, {
    stream: 'demo',
    agent: { id: 'x' },
    approval: { ...approval, server: '@opencode', tool: 'edit', isOwn: true, args },
  });
  const never = Promise.withResolvers<never>();
  const compared = await compareFiles(project, request, seeChanges, {
    longestMs: 20,
    look: () => never.promise,
  });
  expect(compared).toEqual({
    files: new Map([['a.txt', { is: 'unread', why: 'reading it takes too long' }]]),
    seen: expect.any(String),
    failed: 'reading it takes too long',
  });
  const read = await compareFiles(project, request, seeChanges);
  expect(read.failed).toBeUndefined();
  expect(read.seen).not.toBe(compared.seen);
});
