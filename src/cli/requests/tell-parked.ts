import { count } from '../../lib/text/count.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { tellRun } from '../project/tell-run.ts';

/** Says what becomes of the agent that was parked when a question of its task was closed. */
export function tellParked(cli: Cli, project: Project, { stream, taskId = '' }: RequestState): void {
  const open = project.state.streams.get(stream)?.tasks.get(taskId)?.machine.context.open ?? [];
  if (open.length > 0)
    cli.print(`its agent stays parked: ${count(open.length, 'question')} of its task left`);
  else cli.print('its agent was parked: it starts again');
  tellRun(cli, project, stream);
}
