import { CliffordError } from '../../errors.ts';
import { lanes, sprintNotQueued } from '../../events/queue/job-queue.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Project } from '../../workflow/project/project.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { loadConfig } from '../../workflow/config/load-config.ts';
import { chooseLog } from '../../workflow/log/choose-log.ts';
import { requireProjectRoot } from '../../workflow/project/project-root.ts';
import { queueNeedsServer } from '../../workflow/queue/open-queue.ts';
import { workerOf } from '../../workflow/queue/worker-of.ts';
import type { Cli } from '../cli.ts';
import { tellDecided } from '../text/decided-json.ts';
import { onProject } from '../project/on-project.ts';
import { withQueue } from './with-queue.ts';

type Change = { readonly sprint: string; readonly json?: true | undefined };

/** Puts a sprint that waits before or behind others. */
export async function moveInQueue(
  cli: Cli,
  { sprint, where, json }: Change & { readonly where: string },
): Promise<void> {
  const lane = lanes.find((each) => each === where);
  if (lane === undefined) throw unknownPlace(where);
  await withQueue(cli, async (queue, project) => {
    requireHuman(cli, 'move a sprint in the queue', project);
    const worker = workerOf(await project.refresh(), sprint);
    if (worker !== undefined) throw isTaken(sprint, worker);
    await queue.move(sprint, lane);
    tellDecided(cli, json, { done: 'moved', sprint, tasks: [] }, () =>
      cli.print(`moved ${visibleLine(sprint)}: ${lane}`),
    );
  });
}

/** Takes a sprint out of the queue, and from the worker that has it. */
export async function cancelInQueue(cli: Cli, { sprint, json }: Change): Promise<void> {
  const place = { root: requireProjectRoot(cli), env: cli.env };
  if ((await chooseLog(place)) === undefined)
    return onProject(cli, place, (project) => cancelInCopy(cli, project, { sprint, json }));
  await withQueue(cli, async (queue, project) => {
    requireHuman(cli, 'take a sprint out of the queue', project);
    const state = await project.refresh();
    const isThere = (await queue.list()).some((job) => job.sprint === sprint);
    // A worker that died while it left has it by the log alone; so does it wait that somebody was kept from adding.
    const known = state.streams.get(sprint);
    if (!isThere && !known?.queuedAt && !known?.job) throw sprintNotQueued(sprint);
    let worker: string | undefined;
    // Somebody else may have put there what no log has.
    if (known)
      await project.dispatch(sprint, (newest) => {
        // No worker takes it once this is in the log.
        worker = workerOf(newest, sprint);
        return [{ type: 'job.cancelled', subject: sprint, data: { by: cli.by } }];
      });
    if (isThere) await queue.cancel(sprint).catch(unlessGone);
    if (worker !== undefined) {
      cli.hint(`worker ${worker} is told to leave it`);
      await untilLeft(cli, project, { sprint, worker });
    }
    tellDecided(cli, json, { done: 'unqueued', sprint, tasks: [] }, () =>
      cli.print(
        `took ${visibleLine(sprint)} out of the queue${worker === undefined ? '' : `, and from worker ${visibleLine(worker)}`}`,
      ),
    );
  });
}

/**
 * The same in a log in a file that was copied from a server: what it says of a queue and of workers is of there, and would keep
 * everybody from the sprint here.
 */
async function cancelInCopy(cli: Cli, project: Project, { sprint, json }: Change): Promise<void> {
  requireHuman(cli, 'take a sprint out of the queue', project);
  const cancelled = await project.dispatch(sprint, ({ streams }) => {
    const { queuedAt, job } = streams.get(sprint) ?? {};
    if (queuedAt === undefined && job === undefined) return [];
    const reason = `${cli.by} took it out of the queue in a copy of the log`;
    return [
      { type: 'job.cancelled', subject: sprint, data: { by: cli.by } },
      ...(job === undefined
        ? []
        : [
            {
              type: 'job.ended',
              subject: sprint,
              data: { worker: job.worker, outcome: 'over', reason },
            } as const,
          ]),
    ];
  });
  if (cancelled.length === 0) throw queueNeedsServer();
  tellDecided(cli, json, { done: 'unqueued', sprint, tasks: [] }, () =>
    cli.print(`took ${visibleLine(sprint)} out of the queue, in this copy of the log alone`),
  );
}

/** A worker that was just taking it has left it already. */
function unlessGone(error: unknown): void {
  if (!(error instanceof CliffordError) || error.code !== 'SPRINT_NOT_QUEUED') throw error;
}

/** Waits for the worker to leave a sprint, as long as the queue waits for it; then it is taken from the worker. */
async function untilLeft(
  cli: Cli,
  project: Project,
  { sprint, worker }: { readonly sprint: string; readonly worker: string },
): Promise<void> {
  const { queue } = await loadConfig({ root: project.root, env: cli.env });
  const signal = AbortSignal.timeout(queue.deadline);
  try {
    await project.until((state) => workerOf(state, sprint) !== worker || undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    await project.dispatch(sprint, (state) => {
      if (workerOf(state, sprint) !== worker) return [];
      const reason = `${cli.by} took it out of the queue; nothing was heard of the worker`;
      return [{ type: 'job.ended', subject: sprint, data: { worker, outcome: 'over', reason } }];
    });
  }
}

function isTaken(sprint: string, worker: string): CliffordError {
  return new CliffordError(`Cannot move sprint ${sprint} in the queue: worker ${worker} has it`, {
    code: 'SPRINT_RUNNING',
    fix: `Take it out first, if need be, with: clifford queue cancel ${sprint}`,
    recovery: 'give-up',
  });
}

function unknownPlace(where: string): CliffordError {
  return new CliffordError(`Cannot move a sprint to ${JSON.stringify(where)}: there is no such place`, {
    code: 'QUEUE_PLACE_UNKNOWN',
    fix: `Name one of ${lanes.join(', ')}`,
  });
}
