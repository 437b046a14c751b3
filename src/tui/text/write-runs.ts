import { count } from '../../lib/text/count.ts';
import { attemptHeading } from '../../views/sprints/attempt-heading.ts';
import { leftOutText } from '../../views/text/left-out-text.ts';
import type { TaskRun } from '../../workflow/history/task-tracks.ts';
import { exportOf } from './export-of.ts';
import type { TaskLines } from './task-lines.ts';

/** What the last runs of a task wrote, oldest first. */
export type RunsOutput = {
  /** So many runs were before them. */
  readonly left: number;
  readonly runs: readonly RunOutput[];
};

/** What one run of an agent wrote: its end, where it is cut. */
export type RunOutput = Pick<TaskRun, 'runId' | 'attempt' | 'agent' | 'time'> & {
  readonly text: string;
  readonly isCut: boolean;
};

/** Writes what runs wrote, each attempt but the first below what it was, and what is left out of them. */
export function writeRuns(lines: TaskLines, { left, runs }: RunsOutput): void {
  if (left > 0) lines.note(leftOutText(count(left, 'earlier attempt'), exportOf('<run>')));
  for (const { runId, attempt, agent, time, text, isCut } of runs) {
    if (attempt > 1) lines.note(attemptHeading({ attempt, agent, at: time }));
    if (isCut) lines.note(leftOutText('earlier output', exportOf(runId)));
    lines.append(text);
  }
}
