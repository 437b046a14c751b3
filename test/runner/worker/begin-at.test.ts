import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { beginAt } from '../../../src/runner/worker/begin-at.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';

beforeEach(withoutGitConfig);

/** A repository with a commit, and files that an attempt has left which is gone. */
async function leftBehind() {
  const root = await tempRoot();
  const git = makeRepository(root);
  git.write({ 'old.txt': 'old\n' });
  git.commitAll();
  const base = git('rev-parse', 'HEAD');
  git.write({ '.clifford/state': 'ours\n', 'old.txt': 'left\n', 'new.txt': 'left\n' });
  const place = { cwd: root, env: {}, signal: new AbortController().signal };
  return { root, git, begin: () => beginAt(place, { base, branch: 'clifford/one/a' }) };
}

describe('a task that is begun at a commit', () => {
  it.each([
    ['git ignores', '.clifford/\n'],
    ['git does not know', ''],
  ])(
    'has none of the changes from before, which are put aside; the state, which %s, stays',
    async (_, ignored) => {
      const { root, git, begin } = await leftBehind();
      git.write({ '.git/info/exclude': ignored });
      await begin();
      expect(git('branch', '--show-current')).toBe('clifford/one/a');
      expect(git('status', '--porcelain', '--', ':/', ':(exclude,top).clifford')).toBe('');
      expect(git('stash', 'show', '--include-untracked', '--name-only')).toBe('new.txt\nold.txt');
      expect(readFileSync(join(root, '.clifford/state'), 'utf8')).toBe('ours\n');
    },
  );

  it('is not begun where they cannot be put aside', async () => {
    const { git, begin } = await leftBehind();
    git.write({ '.git/index.lock': '' });
    await expect(begin()).rejects.toThrow('Cannot begin the task: git stash ended with exit code 1');
    expect(git('branch', '--show-current')).toBe('main');
  });
});
