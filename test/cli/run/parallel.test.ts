import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { agentHere } from '../../helpers/agent-here.ts';
import { clifford } from '../../helpers/clifford-process.ts';
import { withoutGitConfig } from '../../helpers/temp-repository.ts';
import { parallelSprint } from '../../runner/parallel/support.ts';

beforeEach(withoutGitConfig);

it('says of each task that it is being merged, and that it is merged only of the one that was', async () => {
  const { root } = await parallelSprint({
    a: { 'shared.txt': 'a\ntwo\nthree\n' },
    b: { 'shared.txt': 'b\ntwo\nthree\n' },
  });
  const agent = agentHere('change-files', join(root, '.clifford/plan.json'));
  const run = await clifford(['run', 'demo', '--parallel', '2', '--no-wait', '--agent-cmd', agent], {
    cwd: root,
  });
  for (const task of ['a', 'b']) expect(run.err).toContain(`${task}: merging into main\n`);
  expect(run.err).not.toContain('is merged');
  expect(run.out.match(/worktree\.merged/g)).toHaveLength(1);
  expect(run.out).toContain('cannot be merged into main');
});
