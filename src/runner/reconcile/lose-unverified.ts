import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { recordedRuns } from '../../workflow/transcripts/transcript-files.ts';
import { isRunHere } from '../../workflow/worktree/worktree-claims.ts';
import { isDoneUnverified } from './exit-verdict.ts';

/**
 * Says in the log that attempts are lost whose agents have ended as if their tasks were done, and which nobody has verified yet, where
 * what they made is not here: other files would be verified as theirs. They are begun again.
 */
export async function loseUnverified(
  project: Project,
  stream: string,
  isMissing: (task: TaskState) => boolean,
): Promise<void> {
  const sprint = project.state.streams.get(stream);
  for (const task of sprint?.tasks.values() ?? []) {
    const lost = sprint && isMissing(task) ? unverifiedLost(sprint, task) : [];
    if (lost.length > 0) await project.record(stream, lost);
  }
}

/** Whether the last attempt at a task was made from this folder. A version before this one noted no runs, and had their transcripts. */
export function ranHere(project: Pick<Project, 'dir'>): (task: TaskState | undefined) => boolean {
  const recorded = new Set(recordedRuns(project.dir));
  return (task) => {
    const { runId = '' } = task?.agent ?? {};
    return isRunHere(project, runId) || recorded.has(runId);
  };
}

/** What is said of one such attempt; nothing of any other. */
export function unverifiedLost(sprint: SprintState, task: TaskState): Candidate[] {
  const runId = task.agent?.runId;
  if (runId === undefined || !isDoneUnverified(sprint, task)) return [];
  const data = { runId, reason: 'what it made is on another machine, which has not verified it' };
  return [{ type: 'agent.lost', subject: subjectOf(sprint.id, task.id), data }];
}
