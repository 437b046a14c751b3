import type { Verdict } from '../../events/verdict.ts';
import type { BaselineEntry } from '../../machines/task-state.ts';
import { taskKeys } from '../config/config-schema.ts';
import type { SprintFolder } from '../sprint/sprint-folders.ts';

/**
 * What the end of a command says about the work on a task, next to how it ended before. `undefined`: it was
 * not run before.
 */
export function verifyVerdictOf(
  baseline: readonly BaselineEntry[],
  { command, code }: BaselineEntry,
): Verdict | undefined {
  const before = baseline.find((entry) => entry.command === command);
  if (!before) return undefined;
  if (before.code === 0) return code === 0 ? 'clean' : 'regressed';
  return code === 0 ? 'fixed' : 'broken-before';
}

/** Whether the commands of a task stand in its own entry in the manifest: to make them succeed is its work. */
export function hasOwnVerify({ manifest }: SprintFolder, taskId: string): boolean {
  const entry = manifest.tasks.find(({ id }) => id === taskId);
  return taskKeys.verify.safeParse(entry?.verify).success;
}
