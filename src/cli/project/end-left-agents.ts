import { tryHold } from '../../lib/files/kernel-lock.ts';
import { endOrphans } from '../../runner/attempt/end-orphans.ts';
import { findOrphans } from '../../runner/attempt/orphans.ts';
import type { Project } from '../../workflow/project/project.ts';
import { runElsewhere } from '../../workflow/project/run-elsewhere.ts';
import { workerOf } from '../../workflow/queue/worker-of.ts';
import { runnerLockPath } from '../../workflow/project/runner-lock.ts';
import type { Cli } from '../cli.ts';

/** Of which sprint, of one of its tasks or of all, and what ends them, as the log names it. */
type LeftAgents = { readonly stream: string; readonly taskId?: string | undefined; readonly by: string };

/** How many there were, and what there is to say of that, a line each. */
type EndedAgents = { readonly count: number; readonly said: readonly string[] };

/**
 * Ends the agents that a runner which is gone has left at work. One that is there ends its own.
 *
 * @throws {CliffordError} `AGENT_SURVIVES`.
 */
export async function endLeftAgents(
  project: Project,
  { stream, taskId, by }: LeftAgents,
): Promise<EndedAgents> {
  const state = await project.refresh();
  // They are those of somebody else, who may be on this machine.
  if (workerOf(state, stream) !== undefined) return { count: 0, said: [] };
  if (runElsewhere(project, state.streams.get(stream))) return { count: 0, said: [] };
  const lock = tryHold(runnerLockPath(project.dir, stream));
  if (!lock) return { count: 0, said: [] };
  try {
    const tasks = [...((await project.refresh()).streams.get(stream)?.tasks.values() ?? [])];
    const concerned = tasks.filter(({ id }) => taskId === undefined || id === taskId);
    const alive = findOrphans(concerned).filter(({ targets }) => targets.length > 0);
    const problems = await endOrphans(project, alive, { stream, by });
    const ended = alive.map(
      (orphan) => `the agent of ${orphan.taskId} was still at work without a runner: ended`,
    );
    return { count: alive.length, said: [...ended, ...problems] };
  } finally {
    lock.release();
  }
}

/** The same for a command: says it, and returns how many there were. */
export async function endAndNote(
  cli: Pick<Cli, 'note'>,
  project: Project,
  left: LeftAgents,
): Promise<number> {
  const { count, said } = await endLeftAgents(project, left);
  said.forEach(cli.note);
  return count;
}
