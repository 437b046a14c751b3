import { beforeEach, expect, it } from 'vitest';
import { commitTitle } from '../../../src/workflow/git/commit-title.ts';
import { Git } from '../../../src/workflow/git/git.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';

beforeEach(withoutGitConfig);

/** What is said of a commit with this message. */
async function titleOf(message: string): Promise<string | undefined> {
  const root = await tempRoot();
  const git = makeRepository(root);
  git('config', 'i18n.logOutputEncoding', 'ISO-8859-1');
  git('commit', '--quiet', '--allow-empty', '--allow-empty-message', '-m', message);
  return commitTitle(new Git({ cwd: root, env: {}, signal: new AbortController().signal }), 'HEAD');
}

it('the title of a commit is the first line of its message, in whatever encoding git shows it', async () => {
  expect(await titleOf('Prüfung ändern\nauf zwei Zeilen\n\nund mehr')).toBe('Prüfung ändern');
  expect(await titleOf('x'.repeat(300))).toMatch(/^x+…$/);
  expect(await titleOf('')).toBeUndefined();
});

it('a commit has no title where git cannot be asked', async () => {
  const git = new Git({ cwd: `${await tempRoot()}/gone`, env: {}, signal: new AbortController().signal });
  expect(await commitTitle(git, 'HEAD')).toBeUndefined();
});
