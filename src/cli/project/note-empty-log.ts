import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';

/** Says of a log on a server that there is nothing in it: a project's name that nobody uses looks like one with nothing to do. */
export function noteEmptyLog(cli: Pick<Cli, 'note'>, { isShared, state }: Project): void {
  if (isShared && state.streams.size === 0)
    cli.note('there are no events in the log: nothing was run there yet, or its project has another name');
}
