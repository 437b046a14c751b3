import { isAlive } from '../../lib/processes/process-identity.ts';
import type { Processes } from '../../views/sprints/sprint-status.ts';
import type { Project } from '../../workflow/project/project.ts';
import { runElsewhere } from '../../workflow/project/run-elsewhere.ts';
import { isBeingRun } from '../../workflow/queue/worker-of.ts';

/** The runners of a project, and its agents on this machine, as they are at each look. */
export function processesOf(project: Pick<Project, 'dir' | 'state' | 'isShared'>): Processes {
  return {
    hasRunner: (stream) => isBeingRun(project, stream),
    runElsewhere: (stream) => runElsewhere(project, project.state.streams.get(stream))?.name,
    isAlive,
  };
}
