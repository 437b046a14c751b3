import { join } from 'node:path';
import { sha256 } from '../../lib/digest.ts';

/** Where a worker has its checkouts for tasks of others' sprints, below its folder. */
export const TASK_CHECKOUTS = 'task-checkouts';

/** Longest part of a task's id that names its folder and its branch. */
const LONGEST = 60;

/** A name for folder and branch of a task: its id, and a digest of it where some of its characters cannot stand there. */
function worktreeName(taskId: string): string {
  const plain = taskId.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^-+|-+$/g, '');
  if (plain === taskId && plain.length <= LONGEST) return plain;
  return `${plain.slice(0, LONGEST) || 'task'}-${sha256(taskId, 'hex').slice(0, 8)}`;
}

/** The branch of a task, the `count`-th of that name. */
export function worktreeBranch(stream: string, taskId: string, count = 1): string {
  return `clifford/${stream}/${worktreeName(taskId)}${count === 1 ? '' : `-${count}`}`;
}

/** The folder of a task's worktree below the folder of all. */
export function worktreePath(dir: string, stream: string, taskId: string, count = 1): string {
  return join(dir, stream, `${worktreeName(taskId)}${count === 1 ? '' : `-${count}`}`);
}

/**
 * The variables of a worktree. In their texts `{slot}` is its number, `{port:3000}` a port of its own from there on
 * (3000 + slot), `{task}` a short name of its task.
 */
export function worktreeVariables(
  templates: Readonly<Record<string, string>>,
  { slot, taskId }: { readonly slot: number; readonly taskId: string },
): Record<string, string> {
  const fill = (text: string) =>
    text.replaceAll(/\{(slot|task|port:(\d{1,5}))\}/g, (_, mark: string, first: string | undefined) => {
      if (mark === 'slot') return String(slot);
      return mark === 'task' ? worktreeName(taskId) : String(Number(first) + slot);
    });
  return Object.fromEntries(Object.entries(templates).map(([name, text]) => [name, fill(text)]));
}
