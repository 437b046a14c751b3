import type { SprintState, TaskState } from '../../machines/project-state.ts';
import { nameOf } from '../../machines/status-words.ts';

/** Tasks whose attempts ran out. */
export function failedTasks(sprint: SprintState): TaskState[] {
  return [...sprint.tasks.values()].filter(({ machine }) => nameOf(machine.value) === 'done.failed');
}

/** Why a sprint with failed tasks cannot go on. */
export function failureOf(sprint: SprintState): string {
  return failedTasks(sprint)
    .map(({ id, lastFailure, machine: { context } }) => {
      const attempts = context.failures > 1 ? ` after ${context.failures} attempts` : '';
      return `task ${id} failed${attempts}: ${lastFailure ?? 'no reason was given'}`;
    })
    .join('; ');
}

/** Why no task is left that could start although some are pending. */
export function deadEnd(sprint: SprintState): string {
  const waiting = [...sprint.tasks.values()]
    .filter(({ machine }) => nameOf(machine.value) === 'pending')
    .map(({ id, dependsOn }) => `${id} waits for ${unmet(sprint, dependsOn).join(' and ')}`);
  return `no task can start: ${waiting.join(', ')}`;
}

/** What a human has to answer before the sprint goes on. */
export function questionsOf(sprint: SprintState): string {
  const open = [...sprint.requests.values()].filter(({ phase }) => phase === 'open');
  const listed = open.map(
    ({ asked, taskId }) => `${taskId ?? asked.task ?? 'the sprint'}: ${asked.question}`,
  );
  return `a human has to answer ${listed.join('; ')}`;
}

function unmet(sprint: SprintState, dependsOn: readonly string[]): string[] {
  return dependsOn
    .map((id) => ({ id, name: nameOf(sprint.tasks.get(id)?.machine.value ?? 'unknown') }))
    .filter(({ name }) => name !== 'done.completed' && name !== 'done.skipped')
    .map(({ id, name }) => `${id} (${name.replace(/^done\./, '')})`);
}
