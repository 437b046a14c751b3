import type { Git } from './git.ts';

/** How something is checked out that was there before. */
const FOUND = /^(?:checkout|reset): /;

/** How Clifford tries a merge of a task's branch: it is made again where that comes to nothing. */
const TRIED = /^merge refs\/heads\/clifford\//;

/** How a commit is left for another one that was made of it. */
const REWRITTEN = /^(?:commit \(amend\)|rebase|pull)/;

/**
 * The commits that were made in a work tree and left, as the reflog of its HEAD says. Those that were amended or rebased are not among
 * them, nor what was only checked out there, nor merges that Clifford has tried.
 *
 * @param git - Run in a work tree in which a commit is checked out.
 */
export async function leftCommits(git: Git): Promise<string[]> {
  // The newest first.
  const lines = (await git.read(['log', '--walk-reflogs', '--format=%H %gs', 'HEAD', '--'])).split('\n');
  const moves = lines.filter(Boolean).map((line) => {
    const at = line.indexOf(' ');
    return { sha: line.slice(0, at), how: line.slice(at + 1) };
  });
  // A new work tree begins without a word.
  if (moves.at(-1)?.how === '') moves.pop();
  const made = new Set(moves.filter(({ how }) => !FOUND.test(how) && !TRIED.test(how)).map(({ sha }) => sha));
  const seen = new Set<string>();
  return moves.flatMap(({ sha }, at) => {
    if (seen.has(sha)) return [];
    seen.add(sha);
    const next = moves[at - 1];
    return made.has(sha) && next && !REWRITTEN.test(next.how) ? [sha] : [];
  });
}
