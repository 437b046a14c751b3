import { shellWord } from '../../lib/text/shell-word.ts';
import type { KnownProject } from '../../workflow/projects/known-projects.ts';
import { environmentOf } from '../../workflow/projects/open-projects.ts';
import type { Cli } from '../cli.ts';

/** A command of Clifford in a text of ours, but for those that are about no project. */
const COMMAND = /(?<![\w/.-])clifford (?=[a-z])(?!projects\b)/g;

/** A command in another project: as if it were typed in its folder, and named by it where it says what to type. */
export function inProject(cli: Cli, { name, root, isHere }: KnownProject): Cli {
  const called = `clifford --project ${shellWord(name)}`;
  const named = (say: (text: string) => void) => (text: string) =>
    say(text.replace(COMMAND, () => `${called} `));
  return {
    ...cli,
    cwd: root,
    env: isHere ? cli.env : environmentOf(cli.env, root),
    called,
    say: named(cli.say),
    warn: named(cli.warn),
    note: named(cli.note),
    hint: named(cli.hint),
  };
}
