import type { Project } from '../../workflow/project/project.ts';
import { sayNotRecorded } from '../../workflow/requests/say-not-recorded.ts';
import type { Cli } from '../cli.ts';
import { withProject } from '../project/with-project.ts';
import type { CloseVerb } from './request-errors.ts';

/**
 * Runs `work`, which says a human's word to a request, on the project the command was typed in.
 *
 * @param name - The request, as it was named.
 * @throws {CliffordError} `LOG_UNREACHABLE`, and that nothing is recorded.
 */
export function decideIn(
  cli: Cli,
  { verb, name }: { readonly verb: CloseVerb; readonly name: string },
  work: (project: Project) => Promise<void>,
): Promise<void> {
  return sayNotRecorded(`${verb} ${name}`, () => withProject(cli, work));
}
