import type { TaskState } from './project-state.ts';

/** Counts how long agents work on a task: while one is at it, and nothing of it waits for a human. `time`: of the last event, RFC 3339. */
export function foldWork(task: TaskState, time: string): void {
  const { agent, blockedSince, workingSince } = task;
  const isAtWork = agent !== undefined && agent.end === undefined && blockedSince === undefined;
  if (isAtWork === (workingSince !== undefined)) return;
  if (workingSince !== undefined) task.workedMs += Math.max(0, Date.parse(time) - Date.parse(workingSince));
  task.workingSince = isAtWork ? time : undefined;
}
