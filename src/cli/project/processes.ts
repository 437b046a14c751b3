import { isAlive } from '../../lib/processes/process-identity.ts';
import type { Processes } from '../../views/sprint-status.ts';
import type { Project } from '../../workflow/project/project.ts';
import { isRunnerAtWork } from '../../workflow/project/runner-lock.ts';

/** The runners and agents of a project on this machine, as they are at each look. */
export function processesOf({ dir }: Pick<Project, 'dir'>): Processes {
  return { hasRunner: (stream) => isRunnerAtWork(dir, stream), isAlive };
}
