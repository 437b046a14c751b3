import type { SprintState } from '../../machines/project-state.ts';
import { isNotedHere } from './own-notes.ts';

/**
 * The runner that has a sprint in another folder, where machines share the log: by what the log says, so also one that was killed, until
 * somebody tells it to leave. `undefined`: none has. Workers say by other events what they have.
 */
export function runElsewhere(
  project: { readonly dir: string; readonly isShared: boolean },
  sprint: SprintState | undefined,
): SprintState['runner'] {
  const { runner } = sprint ?? {};
  if (!project.isShared || runner?.run === undefined) return undefined;
  return isNotedHere(project, runner.run) ? undefined : runner;
}
