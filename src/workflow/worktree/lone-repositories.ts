import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { ifThere } from '../../lib/files/if-there.ts';
import { splitNul, type Git } from '../git/git.ts';
import { lookWithin } from '../landing/work-tree.ts';

/** A commit of another repository that a commit has in the place of a file. */
type Gitlink = { readonly path: string; readonly sha: string };

/** A repository in a worktree, and where git has its own files, absolute. */
type Inner = { readonly name: string; readonly gitDir: string };

/**
 * The repositories that go with a worktree and have commits or a stash that no remote of theirs is known to have: submodules that were
 * cloned for it, and folders with a `.git` that its commit names. What only a reflog of theirs names does not count.
 *
 * @param git - Run in the top folder of the worktree.
 * @param place - That folder, and the commit the worktree began with: what that names is somewhere else, too.
 * @returns their paths from there; of submodules their names, mostly the same.
 */
export async function loneRepositories(
  git: Git,
  { folder, base }: { readonly folder: string; readonly base: string },
): Promise<string[]> {
  const inner = [
    ...submodulesIn(await git.path('modules')),
    ...(await nestedIn(git, { folder, links: await gitlinksOf(git, 'HEAD') })),
  ];
  if (inner.length === 0) return [];
  const known = (await gitlinksOf(git, base)).map(({ sha }) => sha);
  const its = ['--branches', 'HEAD', 'refs/stash'];
  const first = ['rev-list', '--ignore-missing', '--max-count=1'];
  const lone = [];
  for (const { name, gitDir } of inner) {
    const found = await git.read([
      ...inRepository(gitDir),
      ...first,
      ...its,
      '--not',
      '--remotes',
      ...known,
      '--',
    ]);
    if (found.trim() !== '') lone.push(name);
  }
  return lone;
}

/** Its configuration may name a work tree that is not there. */
function inRepository(gitDir: string): string[] {
  return [`--git-dir=${gitDir}`, '--work-tree=.'];
}

/** The repositories that a commit names; none where there is no such commit. */
async function gitlinksOf(git: Git, commit: string, gitDir?: string): Promise<Gitlink[]> {
  const place = gitDir === undefined ? [] : inRepository(gitDir);
  // Of all that is no file: a large repository has fewer folders than files.
  const { code, stdout } = await git.run([...place, 'ls-tree', '-r', '-d', '-z', '--full-tree', commit]);
  if (code !== 0) return [];
  return splitNul(stdout.toString('utf8')).flatMap((line) => {
    const [, sha, path] = /^160000 commit ([\da-f]+)\t(.*)$/s.exec(line) ?? [];
    return sha === undefined || path === undefined ? [] : [{ sha, path }];
  });
}

/** Those of the named ones that have git's own files in their folder, and what is so in them. */
async function nestedIn(
  git: Git,
  { folder, links }: { readonly folder: string; readonly links: readonly Gitlink[] },
): Promise<Inner[]> {
  const found: Inner[] = [];
  for (const { path } of links) {
    if (lookWithin(folder, join(path, '.git'))?.isDirectory() !== true) continue;
    const gitDir = join(folder, path, '.git');
    const own = await nestedIn(git, {
      folder: join(folder, path),
      links: await gitlinksOf(git, 'HEAD', gitDir),
    });
    const within = [...submodulesIn(join(gitDir, 'modules')), ...own];
    found.push({ name: path, gitDir }, ...within.map((each) => ({ ...each, name: join(path, each.name) })));
  }
  return found;
}

/** The repositories in a folder in which git has those of submodules, and of their own ones. */
function submodulesIn(folder: string): Inner[] {
  const folders = ifThere(() => readdirSync(folder, { withFileTypes: true }), []).filter(isFolder);
  return folders.flatMap(({ name }) => {
    const gitDir = join(folder, name);
    const isOne = lookWithin(gitDir, 'HEAD')?.isFile() === true;
    const within = submodulesIn(isOne ? join(gitDir, 'modules') : gitDir);
    const inner = within.map((each) => ({ ...each, name: join(name, each.name) }));
    return isOne ? [{ name, gitDir }, ...inner] : inner;
  });
}

function isFolder(entry: Dirent): boolean {
  return entry.isDirectory();
}
