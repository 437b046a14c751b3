import { tryHold } from '../../lib/files/kernel-lock.ts';
import { endOrphans } from '../../runner/attempt/end-orphans.ts';
import { findOrphans } from '../../runner/attempt/orphans.ts';
import type { Project } from '../../workflow/project/project.ts';
import { workerOf } from '../../workflow/queue/worker-of.ts';
import { runnerLockPath } from '../../workflow/project/runner-lock.ts';
import type { Cli } from '../cli.ts';

/** Of which sprint, of one of its tasks or of all, and the command that ends them. */
type LeftAgents = { readonly stream: string; readonly taskId?: string | undefined; readonly by: string };

/**
 * Ends the agents that a runner which is gone has left at work, and says so. One that is there ends its own.
 *
 * @returns how many there were.
 * @throws {CliffordError} `AGENT_SURVIVES`.
 */
export async function endLeftAgents(
  cli: Pick<Cli, 'note'>,
  project: Project,
  { stream, taskId, by }: LeftAgents,
): Promise<number> {
  // They are those of a worker, which may be on this machine.
  if (workerOf(await project.refresh(), stream) !== undefined) return 0;
  const lock = tryHold(runnerLockPath(project.dir, stream));
  if (!lock) return 0;
  try {
    const tasks = [...((await project.refresh()).streams.get(stream)?.tasks.values() ?? [])];
    const concerned = tasks.filter(({ id }) => taskId === undefined || id === taskId);
    const alive = findOrphans(concerned).filter(({ targets }) => targets.length > 0);
    const problems = await endOrphans(project, alive, { stream, by });
    for (const orphan of alive)
      cli.note(`the agent of ${orphan.taskId} was still at work without a runner: ended`);
    problems.forEach(cli.note);
    return alive.length;
  } finally {
    lock.release();
  }
}
