import type { JobQueue } from '../../events/queue/job-queue.ts';
import { requireProjectRoot } from '../../workflow/project/project-root.ts';
import type { Project } from '../../workflow/project/project.ts';
import { openQueue, requireServedLog } from '../../workflow/queue/open-queue.ts';
import type { Cli } from '../cli.ts';
import { onProject } from '../project/on-project.ts';

/** Runs `work` on the queue of the project, its log open, and closes both afterwards. */
export async function withQueue<T>(
  cli: Cli,
  work: (queue: JobQueue, project: Project) => Promise<T>,
): Promise<T> {
  const place = { root: requireProjectRoot(cli), env: cli.env };
  const log = await requireServedLog(place);
  return onProject(cli, place, async (project) => {
    const queue = await openQueue(log, place);
    try {
      return await work(queue, project);
    } finally {
      await queue.close();
    }
  });
}
