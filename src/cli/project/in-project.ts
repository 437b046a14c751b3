import { shellWord } from '../../lib/text/shell-word.ts';
import type { KnownProject } from '../../workflow/projects/known-projects.ts';
import { environmentOf } from '../../workflow/projects/open-projects.ts';
import type { Cli } from '../cli.ts';

/** A command in another project: as if it were typed in its folder, and named by it where it says what to type. */
export function inProject<T extends Pick<Cli, 'env' | 'cwd' | 'called'>>(
  cli: T,
  { name, root, isHere }: KnownProject,
): T {
  return {
    ...cli,
    cwd: root,
    env: isHere ? cli.env : environmentOf(cli.env, root),
    called: `clifford --project ${shellWord(name)}`,
  };
}
