import { CliffordError } from '../../errors.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { detailOf, nameOf, plainWordOf, wordOf } from '../../machines/status-words.ts';
import type { Project } from '../project/project.ts';

/**
 * Completes a sprint whose tasks are all done. One that is completed already is a success.
 *
 * @throws {CliffordError} `SPRINT_UNFINISHED`, naming the tasks that are not done.
 * @throws {IllegalDecision} when the sprint's machine refuses.
 */
export async function completeSprint(
  project: Project,
  {
    stream,
    by,
    summary,
    runId,
  }: { stream: string; by: string; summary?: string | undefined; runId?: string | undefined },
): Promise<void> {
  await project.dispatch(stream, (state) => {
    const sprint = state.streams.get(stream);
    if (sprint && nameOf(sprint.machine.value) === 'done.completed') return [];
    const unfinished = sprint ? unfinishedTasks(sprint) : [];
    if (unfinished.length > 0) throw stillOpen(stream, unfinished);
    const data = { by, summary, runId };
    return [{ type: 'sprint.completed', subject: stream, data }];
  });
}

function unfinishedTasks(sprint: SprintState): string[] {
  return [...sprint.tasks.values()]
    .filter(({ machine: { value } }) => wordOf(value) !== 'done' || nameOf(value) === 'done.failed')
    .map(({ id, machine: { value } }) => `${id} (${plainWordOf(wordOf(value), detailOf(value))})`);
}

function stillOpen(stream: string, unfinished: readonly string[]): CliffordError {
  return new CliffordError(
    `Cannot complete sprint ${stream}: unfinished tasks are ${unfinished.join(', ')}`,
    { code: 'SPRINT_UNFINISHED', fix: 'Complete or skip them first', recovery: 'give-up' },
  );
}
