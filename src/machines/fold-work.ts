import type { TaskState } from './task-state.ts';
import { wordOf } from './status-words.ts';

/**
 * Counts how long agents work on a task: while one is at it, the task is not over, and nothing of it waits for a human. `time`: of
 * the last event, RFC 3339.
 */
export function foldWork(task: TaskState, time: string): void {
  const { agent, machine, blockedSince, workingSince } = task;
  // Of an agent that outlives its runner nobody records the end.
  const isOver = wordOf(machine.value) === 'done';
  const isAtWork = agent !== undefined && agent.end === undefined && !isOver && blockedSince === undefined;
  if (isAtWork === (workingSince !== undefined)) return;
  if (workingSince !== undefined) task.workedMs += Math.max(0, Date.parse(time) - Date.parse(workingSince));
  task.workingSince = isAtWork ? time : undefined;
}
