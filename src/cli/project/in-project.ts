import { calledIn, commandsCalled } from '../../workflow/projects/commands-called.ts';
import type { KnownProject } from '../../workflow/projects/known-projects.ts';
import { environmentOf } from '../../workflow/projects/open-projects.ts';
import type { Cli } from '../cli.ts';

/** A command in another project: as if it were typed in its folder, and named by it where it says what to type. */
export function inProject(cli: Cli, { name, root, isHere }: KnownProject): Cli {
  const called = calledIn(name);
  return {
    ...cli,
    cwd: root,
    env: isHere ? cli.env : environmentOf(cli.env, root),
    called,
    hint: (line) => cli.hint(commandsCalled(called, line)),
  };
}
