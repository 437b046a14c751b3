import type { SprintState } from '../../machines/project-state.ts';
import { wordOf } from '../../machines/status-words.ts';
import { waitingNotes } from '../../workflow/notes/deliver-notes.ts';
import { isAttemptOver } from './run-facts.ts';
import type { Action, RunView } from './runner-view.ts';

/** The agents that are to be told in the middle of their turns what a human tells them unasked. Empty: none now. */
export function noteActions(sprint: SprintState, runs: readonly RunView[]): readonly Action[] {
  return runs
    .filter((run) => run.isSteerable && run.phase === 'working' && !isAttemptOver(sprint, run))
    .filter(({ taskId }) => {
      const task = sprint.tasks.get(taskId);
      // An agent that is spoken to while it waits in a call goes on without the answer.
      return task && wordOf(task.machine.value) === 'active' && waitingNotes(task).length > 0;
    })
    .map(({ runId }) => ({ do: 'steer-agent', runId }));
}
