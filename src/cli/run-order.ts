import { describeSprint } from '../machines/describe.ts';
import type { RunEnd } from '../runner/run-end.ts';
import type { SprintRunnerOptions } from '../runner/sprint-runner.ts';
import type { Project } from '../workflow/project.ts';
import { countDone } from './text/status-lines.ts';

/** What `clifford run` was told to do. */
export type RunOrder = {
  /** Absolute; has a `.clifford/`. */
  readonly root: string;
  readonly sprint: string | undefined;
  /** What the command line says of agents and attempts. */
  readonly flags: Pick<SprintRunnerOptions, 'agent' | 'agentCmd' | 'model' | 'maxAttempts'>;
  /** False: end as blocked when only a human can go on. */
  readonly wait: boolean;
};

/** A run that has ended, and what the sprint looks like now. */
export type FinishedRun = {
  readonly stream: string;
  readonly end: RunEnd;
  readonly done: number;
  readonly tasks: number;
};

/** Sums a run up from the newest state. */
export async function finishedRun(project: Project, stream: string, end: RunEnd): Promise<FinishedRun> {
  const sprint = (await project.refresh()).streams.get(stream);
  const tasks = sprint ? describeSprint(sprint).tasks : [];
  return { stream, end, done: countDone(tasks), tasks: tasks.length };
}
