import { wordOf } from '../../machines/status-words.ts';
import { runElsewhere } from '../../workflow/project/run-elsewhere.ts';
import { isBeingRun, isQueued } from '../../workflow/queue/worker-of.ts';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { runLineOf } from '../../views/sprints/run-line.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Project } from '../../workflow/project/project.ts';

/** Why the sprint of a screen cannot be run from it; `undefined`: it can. */
export function startRefusal({
  project,
  stream,
  startsRuns = false,
}: {
  readonly project: Project;
  readonly stream: string;
  readonly startsRuns?: boolean;
}): string | undefined {
  const sprint = project.state.streams.get(stream);
  const isOver = sprint && wordOf(sprint.machine.value) === 'done' && sprint.tally.failed === 0;
  if (stream === ADHOC_STREAM) return 'What is asked outside of any sprint has no run';
  const elsewhere = runElsewhere(project, sprint);
  if (elsewhere)
    return `A run elsewhere has it (${visibleLine(elsewhere.name)}): clifford stop ${visibleLine(stream)} has that leave`;
  if (isBeingRun(project, stream)) return 'A runner is at work on it already';
  if (isQueued(project.state, stream))
    return `It waits in the queue for a worker: clifford queue cancel ${visibleLine(stream)} takes it out`;
  if (isOver) return 'It is over: nothing of it is left to run';
  const run = sprint ? runLineOf(sprint) : `clifford run ${stream}`;
  return startsRuns ? undefined : `Run it in a shell: ${run}`;
}
