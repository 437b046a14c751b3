import { count } from '../../lib/text/count.ts';

/** What is in a worktree and nowhere else: so many changed files, and so many commits of its branch. `''`: nothing is. */
export function contentText({ left, ahead }: { readonly left: number; readonly ahead: number }): string {
  const parts = [
    ...(ahead > 0 ? [`${count(ahead, 'commit')} that no other branch has`] : []),
    ...(left > 0 ? [`${count(left, 'changed file')} that no commit has`] : []),
  ];
  return parts.join(' and ');
}
