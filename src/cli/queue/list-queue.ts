import type { Job } from '../../events/queue/job-queue.ts';
import { waitedText } from '../../lib/time/duration.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { subjectOf } from '../../events/envelope.ts';
import type { LeftQueue } from '../../machines/project-state.ts';
import { holderOf } from '../../workflow/queue/worker-of.ts';
import type { Cli } from '../cli.ts';
import { columns } from '../text/columns.ts';
import { withQueue } from './with-queue.ts';

/** Prints what is in the queue, which worker has what, and what left it before its run was over. */
export async function listQueue(cli: Cli, json: true | undefined): Promise<void> {
  await withQueue(cli, async (queue, project) => {
    const { streams } = await project.refresh();
    const jobs = (await queue.list()).map((job) => ({ job, held: holderOf({ streams }, job) }));
    const sorted = jobs.toSorted((one, other) => Number(!one.held) - Number(!other.held));
    const queued = new Set(jobs.filter(({ job }) => job.task === undefined).map(({ job }) => job.sprint));
    const left = [...streams.values()].filter(({ id, leftQueue }) => leftQueue && !queued.has(id));
    if (json) {
      const all = sorted.map(({ job, held }) => ({
        ...job,
        worker: held?.worker ?? null,
        since: held?.at ?? null,
      }));
      return cli.print(
        JSON.stringify({ jobs: all, left: left.map(({ id, leftQueue }) => ({ sprint: id, ...leftQueue })) }),
      );
    }
    const now = Date.now();
    if (sorted.length === 0) cli.print('No sprint is in the queue');
    cli.printLines(columns(sorted.map(({ job, held }) => rowOf(cli, job, held, now))));
    cli.printLines(
      left.flatMap(({ id, leftQueue }) => (leftQueue ? leftLines(cli, id, leftQueue, now) : [])),
    );
  });
}

function rowOf({ style }: Cli, job: Job, held: ReturnType<typeof holderOf>, now: number): string[] {
  const { sprint, task, needs, lane, by, at } = job;
  const word = held
    ? style('green', `worker ${visibleLine(held.worker)}, ${since(held.at, now)}`)
    : style('yellow', `waits, ${since(at, now)}`);
  const facts = [
    ...(lane === 'next' || task !== undefined ? [] : [lane]),
    ...(needs.length > 0 ? [`needs ${needs.join(', ')}`] : []),
    `added by ${visibleLine(by)}`,
  ];
  return [style('bold', visibleLine(subjectOf(sprint, task))), word, facts.join('; ')];
}

/** What left the queue: no worker takes it until it is added again. */
function leftLines(
  { style }: Cli,
  sprint: string,
  { worker, outcome, reason, at }: LeftQueue,
  now: number,
): string[] {
  const id = visibleLine(sprint);
  return [
    `${style('bold', id)} left the queue ${waitedText(Math.max(0, now - Date.parse(at)))} ago: ${style('red', outcome)}, says worker ${visibleLine(worker)}: ${visibleLine(reason)}`,
    `  When that is mended: clifford queue add ${id}`,
  ];
}

function since(at: string, now: number): string {
  const ms = now - Date.parse(at);
  return Number.isNaN(ms) ? 'since when is not known' : waitedText(Math.max(0, ms));
}
