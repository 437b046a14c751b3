import { CliffordError } from '../../errors.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { withProject } from '../project/with-project.ts';
import type { CloseVerb } from './request-errors.ts';

/**
 * Runs `work`, which says a human's word to a request, on the project the command was typed in.
 *
 * @param name - The request, as it was named.
 * @throws {CliffordError} `LOG_UNREACHABLE`, and that nothing is recorded.
 */
export async function decideIn(
  cli: Cli,
  { verb, name }: { readonly verb: CloseVerb; readonly name: string },
  work: (project: Project) => Promise<void>,
): Promise<void> {
  try {
    await withProject(cli, work);
  } catch (error) {
    if (!(error instanceof CliffordError) || error.code !== 'LOG_UNREACHABLE') throw error;
    const { message, code, fix, recovery } = error;
    const said = `Cannot ${verb} ${name}: it is not recorded, the log is away: ${message}`;
    throw new CliffordError(said, { code, fix, recovery, cause: error });
  }
}
