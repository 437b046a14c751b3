import { CliffordError } from '../../errors.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import type { SprintFolder } from './sprint-folders.ts';

/**
 * A sprint without any task has nothing to run, and has not succeeded either.
 *
 * @throws {CliffordError} `SPRINT_EMPTY`: neither its manifest nor the log has a task of it.
 */
export function requireTasks({ streams }: ProjectState, { manifest: { id, tasks } }: SprintFolder): void {
  if (tasks.length > 0 || (streams.get(id)?.tasks.size ?? 0) > 0) return;
  throw new CliffordError(`Cannot run sprint ${id}: it has no tasks`, {
    code: 'SPRINT_EMPTY',
    fix: `Add one with: clifford task add <id> "what is to be done" --sprint ${id}`,
  });
}
