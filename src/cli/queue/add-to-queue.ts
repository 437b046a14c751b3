import { CliffordError } from '../../errors.ts';
import { sprintQueued } from '../../events/queue/job-queue.ts';
import { printedWord } from '../../lib/text/shell-word.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { nameOf } from '../../machines/status-words.ts';
import { requireTaskFiles } from '../../runner/plan/require-task-files.ts';
import { requireVerified } from '../../runner/plan/require-verified.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { runElsewhere } from '../../workflow/project/run-elsewhere.ts';
import { isRunnerAtWork } from '../../workflow/project/runner-lock.ts';
import { parseLabels } from '../../workflow/queue/label.ts';
import { workerOf } from '../../workflow/queue/worker-of.ts';
import { chooseSprint } from '../../workflow/sprint/choose-sprint.ts';
import { enterSprint } from '../../workflow/sprint/enter-sprint.ts';
import { requireTasks } from '../../workflow/sprint/require-tasks.ts';
import type { Cli } from '../cli.ts';
import { tellDecided } from '../text/decided-json.ts';
import { withQueue } from './with-queue.ts';

type Order = {
  readonly sprint: string | undefined;
  readonly needs?: readonly string[];
  readonly first?: true;
  readonly last?: true;
  readonly fromBase?: true;
  readonly json?: true;
};

/** Adds a sprint to the queue, and brings it into the log where it is not there yet. */
export async function addToQueue(
  cli: Cli,
  { sprint, needs = [], first, last, fromBase, json }: Order,
): Promise<void> {
  if (first && last) throw unclear();
  const wanted = parseLabels('--needs', needs);
  await withQueue(cli, async (queue, project) => {
    requireHuman(cli, 'add a sprint to the queue', project);
    const { id, folder, broken } = await chooseSprint(project, sprint);
    if (broken) throw broken;
    if (folder) {
      requireTasks(project.state, folder);
      const logged = project.state.streams.get(folder.manifest.id);
      await requireVerified({ root: project.root, env: cli.env }, folder, logged);
      await requireTaskFiles(project.root, folder, logged);
      await enterSprint(project, folder);
    }
    const known = project.state.streams.get(id);
    const state = known && nameOf(known.machine.value);
    // One that is completed may have made what is on the machine of a worker only.
    if (state === 'done.cancelled' || (state === 'done.completed' && !known?.isUnpushed))
      throw isOver(id, state);
    const planned = folder?.manifest.needs;
    const own = planned === undefined ? [] : parseLabels(`needs in the manifest of sprint ${id}`, planned);
    const all = [...new Set([...own, ...wanted])].toSorted();
    const lane = first ? 'first' : last ? 'last' : 'next';
    const at = new Date().toISOString();
    if ((await queue.list()).some((job) => job.sprint === id && job.task === undefined))
      throw sprintQueued(id);
    // First in the log: what a worker finds in the queue, and the log says is taken out of it, was added before that.
    await project.dispatch(id, ({ streams }) => {
      const runner = runElsewhere(project, streams.get(id));
      if (runner) throw isRun(id, `a run on another machine, or in another folder, has it (${runner.name})`);
      if (workerOf({ streams }, id) === undefined && isRunnerAtWork(project.dir, id))
        throw isRun(id, 'a run in this folder has it');
      return isQueued(streams.get(id)) ? [] : [{ type: 'job.added', subject: id, data: { by: cli.by } }];
    });
    await queue.add({ sprint: id, needs: all, lane, by: cli.by, at, ...(fromBase && { fromBase }) });
    tellDecided(cli, json, { done: 'queued', sprint: id, tasks: [] }, () =>
      cli.print(
        `queued ${visibleLine(id)}${all.length === 0 ? '' : ` for a worker with ${all.join(', ')}`}; see ${cli.called} queue list`,
      ),
    );
  });
}

/** Somebody has added it, and nobody has taken it out. */
function isQueued(sprint: SprintState | undefined): boolean {
  return sprint?.queuedAt !== undefined || (sprint?.job !== undefined && !sprint.leftQueue);
}

/** What it has made is pushed nowhere: a worker would end it, and could not go on. */
function isRun(id: string, why: string): CliffordError {
  return new CliffordError(`Cannot add sprint ${id} to the queue: ${why}`, {
    code: 'SPRINT_RUNNING',
    fix: `Leave it to that one, or have it leave first, also where its machine is lost, with: clifford stop ${printedWord(id)}`,
  });
}

function isOver(id: string, state: string): CliffordError {
  return new CliffordError(`Cannot add sprint ${id} to the queue: it is ${state.replace('done.', '')}`, {
    code: 'SPRINT_OVER',
    fix: `See what became of it with: clifford status ${id}`,
  });
}

function unclear(): CliffordError {
  return new CliffordError('Cannot use --first together with --last', {
    code: 'OPTIONS_UNCLEAR',
    fix: 'Leave one of the two out',
  });
}
