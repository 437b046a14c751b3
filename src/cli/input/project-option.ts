import { resolve } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { findProject } from '../../workflow/projects/known-projects.ts';
import type { Cli } from '../cli.ts';
import { inProject } from '../project/in-project.ts';
import { projectHere } from '../project/with-projects.ts';
import { optionValue } from './option-value.ts';

/** The option of every command that names the project. */
const PROJECT_OPTION = '--project';

/**
 * Takes `--project <name>` out of a command line, wherever it stands before a `--`: the command is as if it were typed in that
 * project's folder. A folder does for a name.
 *
 * @throws {CliffordError} `PROJECT_UNKNOWN`, `PROJECTS_UNREADABLE`.
 */
export async function takeProjectOption(
  argv: readonly string[],
  cli: Cli,
): Promise<{ readonly argv: readonly string[]; readonly cli: Cli }> {
  const option = optionValue(argv, PROJECT_OPTION);
  if (!option) return { argv, cli };
  const { at, count, value = '' } = option;
  if (value === '' || (count > 1 && value.startsWith('-')))
    throw new CliffordError(`Cannot tell which project is meant: nothing stands behind ${PROJECT_OPTION}`, {
      code: 'PROJECT_UNKNOWN',
      fix: 'Name one of your list, which clifford projects prints',
    });
  const known = await findProject(cli.env, value, {
    root: realPath(resolve(cli.cwd, value)),
    here: projectHere(cli),
  });
  return { argv: argv.toSpliced(at, count), cli: inProject(cli, known) };
}
