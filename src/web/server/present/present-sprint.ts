import { runLine } from '../../../views/sprints/run-line.ts';
import { possibleActs } from '../../../views/sprints/possible-acts.ts';
import { statusOf, type Processes } from '../../../views/sprints/sprint-status.ts';
import { whoRuns } from '../../../views/sprints/who-runs.ts';
import type { ProjectState } from '../../../machines/project-state.ts';
import type { KnownSprint } from '../../../workflow/sprint/choose-sprint.ts';
import type { SentSprint } from '../../api/sprint.ts';

/** What is known of a sprint beside its state. */
export type SprintContext = {
  readonly processes: Processes;
  /** What a person types in front of a command about the project. */
  readonly called: string;
  /** By the id of the task. */
  readonly titles: ReadonlyMap<string, string>;
  /** It is shown as it was, whatever its folder is now. */
  readonly isPast?: boolean;
};

/** A sprint as it is sent. */
export function presentSprint(
  known: KnownSprint,
  state: ProjectState,
  { processes, called, titles, isPast = false }: SprintContext,
): SentSprint {
  const { open: _, tasks, ...status } = statusOf(known, state, processes);
  const recorded = state.streams.get(known.id);
  const possible = recorded && status.inLog ? possibleActs(state, recorded) : undefined;
  const mayRetry = tasks.some(
    ({ id, detail }) => detail === 'failed' && possible?.tasks.get(id)?.includes('retry'),
  );
  return {
    ...status,
    tasks: tasks.map((task) => ({
      ...task,
      title: titles.get(task.id) ?? '',
      acts: possible?.tasks.get(task.id) ?? [],
    })),
    runs: whoRuns({ ...status, open: [], tasks }, isPast ? { folder: 'then' } : known),
    acts: [
      ...(mayRetry ? (['retry'] as const) : []),
      ...(status.hasRunner ? (['stop'] as const) : []),
      ...(possible?.sprint ?? []),
    ],
    runLine: runLine(known.id, status.runOptions, called),
  };
}
