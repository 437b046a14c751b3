import { CliffordError } from '../../errors.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Project } from '../../workflow/project/project.ts';
import { openQueue } from '../../workflow/queue/open-queue.ts';
import { chooseLog } from '../../workflow/log/choose-log.ts';
import type { Cli } from '../cli.ts';

/** That no worker could take what waits in the queue, given what it needs. */
export function unservedText(needs: readonly string[]): string {
  return `no worker is there that could take it${needs.length === 0 ? '' : ` (needs ${visibleLine(needs.join(', '))})`}`;
}

/** What those of some sprints in the queue need for which no worker is there, by their ids. None where nobody can tell. */
export async function unservedNeeds(
  { env }: Pick<Cli, 'env'>,
  { root, mirror }: Pick<Project, 'root' | 'mirror'>,
  queued: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (queued.length === 0 || mirror) return new Map();
  try {
    const place = { root, env };
    const log = await chooseLog(place);
    if (!log) return new Map();
    const queue = await openQueue(log, place);
    try {
      const jobs = await queue.list();
      const waiting = jobs.filter(({ sprint, task }) => task === undefined && queued.includes(sprint));
      const lacking = (await queue.withoutWorker(waiting)) ?? [];
      return new Map(lacking.map(({ sprint, needs }) => [sprint, needs]));
    } finally {
      await queue.close();
    }
  } catch (error) {
    // Who may only look has no queue.
    if (error instanceof CliffordError) return new Map();
    throw error;
  }
}
