import type { Job } from '../../events/queue/job-queue.ts';
import { cellsOf, fit } from '../../lib/text/cells.ts';
import { waitedText } from '../../lib/time/duration.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { subjectOf } from '../../events/envelope.ts';
import type { LeftQueue, ProjectState } from '../../machines/project-state.ts';
import { unfitTexts } from '../../views/sprints/unfit-texts.ts';
import type { Unfit } from '../../machines/unfit.ts';
import { leftQueueText } from '../../views/sprints/left-queue-text.ts';
import { holderOf } from '../../workflow/queue/worker-of.ts';
import type { Cli } from '../cli.ts';
import { noteEmptyLog } from '../project/note-empty-log.ts';
import { columns } from '../text/columns.ts';
import { roomOf } from '../text/foreign.ts';
import { unservedText } from './unserved.ts';
import { withQueue } from './with-queue.ts';

/** For how long it is listed what left the queue, in ms: a week. */
const LISTED_MS = 7 * 24 * 3_600_000;

/** Prints what is in the queue, which worker has what, and what left it before its run was over. */
export async function listQueue(cli: Cli, json: true | undefined): Promise<void> {
  await withQueue(cli, async (queue, project) => {
    const { streams } = await project.refresh();
    noteEmptyLog(cli, project);
    const jobs = (await queue.list()).map((job): Listed => ({
      job,
      held: holderOf({ streams }, job),
      lastEventAt: job.task === undefined ? streams.get(job.sprint)?.lastEventAt : undefined,
    }));
    const sorted = jobs.toSorted((one, other) => Number(!one.held) - Number(!other.held));
    const waiting = jobs.flatMap(({ job, held }) => (held ? [] : [job]));
    const unserved = waiting.length === 0 ? [] : await queue.withoutWorker(waiting);
    const queued = new Set(jobs.filter(({ job }) => job.task === undefined).map(({ job }) => job.sprint));
    const now = Date.now();
    const left = [...streams.values()].flatMap(({ id, leftQueue }) =>
      leftQueue && !queued.has(id) && now - Date.parse(leftQueue.at) < LISTED_MS ? [{ id, leftQueue }] : [],
    );
    if (json) {
      const all = sorted.map(({ job, held, lastEventAt = null }) => ({
        ...job,
        worker: held?.worker ?? null,
        since: held?.at ?? null,
        lastEvent: held ? lastEventAt : null,
        lacksWorker: held || !unserved ? null : unserved.includes(job),
      }));
      return cli.print(
        JSON.stringify({ jobs: all, left: left.map(({ id, leftQueue }) => ({ sprint: id, ...leftQueue })) }),
      );
    }
    if (sorted.length === 0) cli.print('No sprint is in the queue');
    const rows = columns(sorted.map((each) => rowOf(cli, each, now)));
    cli.printLines(
      sorted.flatMap(({ job, held }, at) => [
        rows[at] ?? '',
        ...(unserved?.includes(job) ? [`  ${cli.style('yellow', unservedText(job.needs))}`] : []),
        ...(held ? [] : unfitTexts(unfitOf({ streams }, job)).map((text) => fit(`  ${text}`, roomOf(cli)))),
      ]),
    );
    cli.printLines(left.flatMap(({ id, leftQueue }) => leftLines(cli, id, leftQueue, now)));
  });
}

/** A job, who has it, and when something was last recorded of its sprint, RFC 3339. */
type Listed = {
  readonly job: Job;
  readonly held: ReturnType<typeof holderOf>;
  readonly lastEventAt: string | undefined;
};

function rowOf({ style }: Cli, { job, held, lastEventAt }: Listed, now: number): string[] {
  // Whether a worker lives the queue alone knows, and says it to nobody: it hands its sprint to another one.
  const lastHeard = lastEventAt === undefined ? '' : `, last event ${since(lastEventAt, now)} ago`;
  const { sprint, task, needs, lane, by, at } = job;
  const word = held
    ? style('green', `worker ${visibleLine(held.worker)}, ${since(held.at, now)}${lastHeard}`)
    : style('yellow', `waits, ${since(at, now)}`);
  const facts = [
    ...(lane === 'next' || task !== undefined ? [] : [lane]),
    ...(needs.length > 0 ? [`needs ${needs.join(', ')}`] : []),
    `added by ${visibleLine(by)}`,
  ];
  return [style('bold', visibleLine(subjectOf(sprint, task))), word, facts.join('; ')];
}

/** What left the queue: no worker takes it until it is added again. */
function leftLines(cli: Cli, sprint: string, left: LeftQueue, now: number): string[] {
  const id = visibleLine(sprint);
  const lead = `${id} left the queue ${waitedText(Math.max(0, now - Date.parse(left.at)))} ago: `;
  const how = fit(leftQueueText(left), roomOf(cli) - cellsOf(lead));
  const mended = left.outcome === 'cancelled' ? 'To have it run' : 'When that is mended';
  return [
    cli.style('bold', id) +
      lead.slice(id.length) +
      cli.style(left.outcome === 'cancelled' ? 'yellow' : 'red', how),
    `  ${mended}: ${cli.called} queue add ${id}`,
  ];
}

function unfitOf({ streams }: Pick<ProjectState, 'streams'>, { sprint, task }: Job): Unfit | undefined {
  const known = streams.get(sprint);
  return task === undefined ? known?.unfit : known?.tasks.get(task)?.offer?.unfit;
}

function since(at: string, now: number): string {
  const ms = now - Date.parse(at);
  return Number.isNaN(ms) ? 'since when is not known' : waitedText(Math.max(0, ms));
}
