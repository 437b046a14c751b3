import { expect, it, onTestFinished, vi } from 'vitest';
import { commitMessage } from '../../../src/workflow/commit/commit-message.ts';
import { findCommit } from '../../../src/workflow/commit/find-commit.ts';
import { Git } from '../../../src/workflow/git/git.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';

it('finds the commit of an attempt, and none of a sprint that was called the same before', async () => {
  withoutGitConfig();
  onTestFinished(() => void vi.unstubAllEnvs());
  const root = await tempRoot();
  const git = makeRepository(root);
  const key = { stream: 'demo', taskId: 'a', attempt: 1 };
  const commitAt = (time: string) => {
    vi.stubEnv('GIT_COMMITTER_DATE', time);
    git.commitAll(commitMessage(key, 'Task a'));
    return git('rev-parse', 'HEAD');
  };
  const found = (notBefore?: string) =>
    findCommit(new Git({ cwd: root, env: {}, signal: new AbortController().signal }), key, {
      since: undefined,
      head: git('rev-parse', 'HEAD'),
      notBefore,
    });
  const old = commitAt('2026-01-30T12:00:00Z');
  expect(await found()).toBe(old);
  expect(await found('2026-01-31T12:00:00.900Z')).toBeUndefined();
  const own = commitAt('2026-01-31T12:00:00Z');
  expect(await found('2026-01-31T12:00:00.900Z')).toBe(own);
  expect(await found('2026-01-31T12:00:01.000Z')).toBeUndefined();
});
