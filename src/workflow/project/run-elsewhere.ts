import type { SprintState } from '../../machines/project-state.ts';
import { isRunHere } from '../worktree/worktree-claims.ts';
import type { Project } from './project.ts';

/**
 * The runner that has a sprint in another folder, where machines share the log: by what the log says, so also one that was killed, until
 * somebody tells it to leave. `undefined`: none has. Workers say by other events what they have.
 */
export function runElsewhere(
  project: Pick<Project, 'dir' | 'isShared'>,
  sprint: SprintState | undefined,
): SprintState['runner'] {
  const { runner } = sprint ?? {};
  if (!project.isShared || runner?.run === undefined) return undefined;
  return isRunHere(project, runner.run) ? undefined : runner;
}
