import { CliffordError } from '../../errors.ts';
import { subjectOf } from '../../events/envelope.ts';
import type { KillTarget } from '../../lib/processes/terminate.ts';
import { printedWord } from '../../lib/text/shell-word.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { findOrphans } from '../../runner/attempt/orphans.ts';
import { isBeingRun, isQueued } from '../../workflow/queue/worker-of.ts';
import { onProject } from '../project/on-project.ts';
import { warning, type Check, type DoctorContext } from './check.ts';

/** The agents that are at work on this machine, and whose runner is gone: nobody answers them, and nobody ends them. */
export async function checkLeftAgents(context: DoctorContext): Promise<Check[]> {
  if (context.stateDir === undefined) return [];
  try {
    return await onProject(context, context, async ({ dir, state, isShared }) => {
      const streams = [...state.streams.values()].filter(
        ({ id }) => !isBeingRun({ dir, state, isShared }, id),
      );
      const tasks = streams.flatMap(({ id: stream, tasks: all }) =>
        [...all.values()].map((task) => ({ stream, task })),
      );
      // One look at the processes for all of them.
      const left = findOrphans(tasks.map(({ task }) => task)).filter(({ targets }) => targets.length > 0);
      return left.flatMap(({ runId, targets }) => {
        const owner = tasks.find(
          ({ task }) => task.agent?.runId === runId || task.machine.context.runId === runId,
        );
        if (!owner) return [];
        return [leftAgent(owner, targets, isQueued(state, owner.stream))];
      });
    });
  } catch (error) {
    // What is wrong with the log is told of the log.
    if (error instanceof CliffordError) return [];
    throw error;
  }
}

/** @param waits - A worker will run the sprint: nobody else is to. */
function leftAgent(
  { stream, task: { id: task } }: { readonly stream: string; readonly task: TaskState },
  targets: readonly KillTarget[],
  waits: boolean,
): Check {
  const text = `the agent of ${visibleLine(subjectOf(stream, task))} is at work without a runner`;
  const named = printedWord(stream);
  const run = waits ? '' : `, clifford run ${named} ends it and goes on with the sprint`;
  return warning('agents', text, `clifford stop ${named} ends it${run}`, {
    stream,
    task,
    pids: targets.map(Math.abs),
  });
}
