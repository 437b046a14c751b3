import { expect, it, onTestFinished, vi } from 'vitest';
import { commitMessage, trailersByHand } from '../../../src/workflow/commit/commit-message.ts';
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
  const commitAt = (time: string, message = commitMessage(key, 'Task a')) => {
    vi.stubEnv('GIT_AUTHOR_DATE', time);
    git.commitAll(message);
    return git('rev-parse', 'HEAD');
  };
  const found = (startedAt?: string, runId = 'run-1') =>
    findCommit(new Git({ cwd: root, env: {}, signal: new AbortController().signal }), key, {
      since: undefined,
      head: git('rev-parse', 'HEAD'),
      run: startedAt === undefined ? undefined : { runId, startedAt },
    });
  const old = commitAt('2026-01-30T12:00:00Z');
  expect(await found()).toBe(old);
  expect(await found('2026-01-31T12:00:00.900Z')).toBeUndefined();
  const own = commitAt('2026-01-31T12:00:00Z');
  expect(await found('2026-01-31T12:00:00.900Z')).toBe(own);
  expect(await found('2026-01-31T12:00:01.000Z')).toBeUndefined();
  // Who has made it by hand has another clock.
  const byHand = commitAt('2026-01-31T11:00:00Z', `By hand\n\n${trailersByHand(key, 'run-1').join('\n')}`);
  expect(await found('2026-01-31T12:00:01.000Z')).toBe(byHand);
  expect(await found('2026-01-31T12:00:01.000Z', 'run-2')).toBeUndefined();
});
