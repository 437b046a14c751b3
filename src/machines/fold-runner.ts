import type { StoredEvent } from '../events/envelope.ts';
import type { SprintState } from './project-state.ts';

/** What an event says of the runner of a sprint. */
export function foldRunner(sprint: SprintState, event: StoredEvent): void {
  switch (event.type) {
    case 'sprint.started': {
      const { runner: name, run, options } = event.data;
      sprint.runner = { name, ...(run !== undefined && { run }), ...(options && { options }) };
      break;
    }
    case 'runner.left': {
      const { reason } = event.data;
      if (!sprint.runner || !isMeant(sprint.runner, event.data)) break;
      sprint.runner = { ...sprint.runner, left: { reason, at: event.time } };
      endRun(sprint);
      break;
    }
    case 'runner.recalled':
      if (sprint.runner && isMeant(sprint.runner, event.data)) endRun(sprint);
      break;
    case 'job.taken':
    case 'sprint.failed':
    case 'sprint.completed':
    case 'sprint.cancelled':
      endRun(sprint);
      break;
    case 'task.started':
      // It has started the sprint for this task alone, and runs none.
      if (event.data.runId === undefined && sprint.runner?.name === event.data.by) sprint.runner = undefined;
      break;
    default:
  }
}

function isMeant(
  { name, run }: NonNullable<SprintState['runner']>,
  said: { readonly runner: string; readonly run?: string | undefined },
): boolean {
  return name === said.runner && (said.run === undefined || run === undefined || said.run === run);
}

/** No other machine is kept from running it. */
function endRun(sprint: SprintState): void {
  if (sprint.runner?.run === undefined) return;
  const { run: _over, ...rest } = sprint.runner;
  sprint.runner = rest;
}
