import { subjectOf } from '../../events/envelope.ts';
import { checkLegality, type Candidate } from '../../machines/legality.ts';
import type { ProjectState, SprintState } from '../../machines/project-state.ts';
import { nameOf } from '../../machines/status-words.ts';

/** What a human can do to a task at any time. */
export type TaskAct = 'retry' | 'skip' | 'cancel' | 'note';
/** The same of a sprint. */
export type SprintAct = 'pause' | 'resume' | 'cancel';

/** What the machines allow now. */
export type PossibleActs = {
  readonly sprint: readonly SprintAct[];
  /** By the id of the task. */
  readonly tasks: ReadonlyMap<string, readonly TaskAct[]>;
};

const sprintActs = ['pause', 'resume', 'cancel'] as const;
const taskActs = ['retry', 'skip', 'cancel', 'note'] as const;

/** The event of an act, as it is asked about: nobody has said yet who decides, and why. */
export function candidateOf(stream: string, act: TaskAct | SprintAct, task: string | undefined): Candidate {
  const subject = subjectOf(stream, task);
  const data = { by: '' };
  switch (act) {
    case 'pause':
      return { type: 'sprint.paused', subject, data };
    case 'resume':
      return { type: 'sprint.resumed', subject, data };
    case 'retry':
      return { type: 'task.reset', subject, data: { ...data, reason: act } };
    case 'skip':
      return { type: 'task.skipped', subject, data };
    case 'cancel':
      return { type: task === undefined ? 'sprint.cancelled' : 'task.cancelled', subject, data };
    case 'note':
      return { type: 'note.sent', subject, data: { ...data, noteId: '', text: '', via: '' } };
  }
}

/** Asks the machines what a human can do to a sprint and to each of its tasks. */
export function possibleActs(state: ProjectState, sprint: SprintState): PossibleActs {
  const may = (act: TaskAct | SprintAct, task?: string) =>
    checkLegality(state, candidateOf(sprint.id, act, task)).legal;
  // No guard is about what else is known of a task: those in the same state are told the same.
  const byState = new Map<string, readonly TaskAct[]>();
  const tasks = [...sprint.tasks.values()].map(({ id, machine }) => {
    const name = nameOf(machine.value);
    const acts = byState.get(name) ?? taskActs.filter((act) => may(act, id));
    byState.set(name, acts);
    return [id, acts] as const;
  });
  return { sprint: sprintActs.filter((act) => may(act)), tasks: new Map(tasks) };
}
