import { isElsewhere } from '../../machines/fold-offer.ts';
import { subjectOf } from '../../events/envelope.ts';
import { stuckOf } from '../../machines/fold-worktree.ts';
import type { Candidate } from '../../machines/legality.ts';
import { makeOwnFolder } from '../../lib/files/own-folder.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { nameOf } from '../../machines/status-words.ts';
import { trailersByHand } from '../../workflow/commit/commit-message.ts';
import type { GitPlace } from '../../workflow/git/git.ts';
import { WorkTreeSnapshots } from '../../workflow/commit/snapshot.ts';
import type { Project } from '../../workflow/project/project.ts';
import { WorkMissingError } from '../sprint/work-missing-error.ts';
import { adoptCommits } from './adopt-commits.ts';
import { loseUnverified, ranHere } from '../reconcile/lose-unverified.ts';
import { noteBegun } from '../reconcile/note-begun.ts';
import { isHere, missingText, missingWork, type KnownWork, type MissingWork } from './missing-work.ts';

/** A sprint that was begun elsewhere, and how what was fetched of it is looked at. */
export type Continuation = Pick<GitPlace, 'env' | 'signal'> &
  Pick<KnownWork, 'wantsCommit'> & {
    readonly sprint: SprintState;
    /** The one that has it now. */
    readonly worker: string;
    /** Who wants what is missing to be done again; `undefined`: nobody has said so. */
    readonly again: string | undefined;
  };

/**
 * Makes sure that a sprint which another worker has begun can go on in this checkout: the work of tasks that are done is there, or can be merged
 * again, and it is known how the files were before the tasks that are not.
 *
 * @throws {CliffordError} `WORK_MISSING`.
 */
export async function continueHere(
  project: Project,
  { sprint, worker, env, signal, wantsCommit, again }: Continuation,
): Promise<void> {
  const place = { cwd: project.root, env, signal };
  makeOwnFolder(project.dir);
  const snapshots = new WorkTreeSnapshots(project.dir, sprint.id);
  const noted = new Set(await snapshots.tasks());
  // What an earlier attempt has left here is not what a later one was done with elsewhere.
  const isOfHere = ranHere(project);
  const here = new Set([...noted].filter((id) => isOfHere(sprint.tasks.get(id))));
  const missing = await missingWork(place, sprint, { here, project, wantsCommit });
  const adopted = await adoptCommits(project, { place, sprint, missing });
  const lost = missing.filter(({ task, unmerged }) => unmerged === undefined && !adopted.has(task));
  if (lost.length > 0 && again === undefined) throw workMissing(sprint.id, lost);
  if (lost.length > 0) await doAgain(project, sprint.id, { missing: lost, by: again ?? '' });
  // How files were in a worktree of before says nothing about this folder, in which nothing of such a task is to be committed.
  for (const { task, unmerged } of missing) if (unmerged !== undefined) await snapshots.remove(task);
  await mergeAgain(project, sprint.id, { missing, worker });
  await askAgain(project, sprint.id, worker);
  await loseUnverified(project, sprint.id, (task) => !isElsewhere(task) && !isOfHere(task));
  await noteBegun(project, { stream: sprint.id, env, signal, isDue: ({ id }) => wantsCommit(id) });
}

/** Says in the log what is to be merged again: the worker that has merged it was gone before it had pushed. */
async function mergeAgain(
  project: Project,
  stream: string,
  { missing, worker }: { readonly missing: readonly MissingWork[]; readonly worker: string },
): Promise<void> {
  if (missing.every(({ unmerged }) => unmerged === undefined)) return;
  await project.dispatch(stream, ({ streams }) =>
    missing.flatMap(({ task, unmerged: sha }): Candidate[] => {
      const offer = streams.get(stream)?.tasks.get(task)?.offer;
      // Somebody may have decided about it since it was looked at.
      return sha !== undefined && offer?.sha === sha && offer.phase === 'settled'
        ? [{ type: 'offer.unmerged', subject: subjectOf(stream, task), data: { worker, sha } }]
        : [];
    }),
  );
}

/**
 * Takes back questions about changes that were to be merged on a machine that is gone, whether a worktree of it has them or none could be made:
 * they are merged here then, and what keeps them from that is asked about again, with where it is now.
 */
async function askAgain(project: Project, stream: string, worker: string): Promise<void> {
  await project.dispatch(stream, ({ streams }) => {
    const { tasks, requests } = streams.get(stream) ?? {};
    return [...(tasks?.values() ?? [])].flatMap((task): Candidate[] => {
      const stuck = stuckOf(task);
      const request = stuck && requests?.get(stuck.requestId);
      // Of what could not be brought to the other machine either, the question says which worker has it.
      const isStale = task.worktree === undefined || (stuck?.why !== 'landing' && !isHere(project, task));
      if (!isStale || request?.phase !== 'open') return [];
      const reason = `worker ${worker} has the sprint now, and tries to merge it`;
      const data = { requestId: request.id, by: worker, via: 'runner', reason };
      return [{ type: 'help.dismissed', subject: subjectOf(stream, request.taskId), data }];
    });
  });
}

/** Says in the log what is lost, and that it is begun anew. */
async function doAgain(
  project: Project,
  stream: string,
  { missing, by }: { readonly missing: readonly MissingWork[]; readonly by: string },
): Promise<void> {
  const reasonOf = ({ sha }: MissingWork) =>
    sha === undefined ? 'it has no commit' : `its commit ${sha.slice(0, 12)} is not in what was fetched`;
  const sayOfAll = (type: 'work.lost' | 'task.reopened', isDue: (task: TaskState) => boolean) =>
    project.dispatch(stream, ({ streams }) =>
      missing.flatMap((each): Candidate[] => {
        const task = streams.get(stream)?.tasks.get(each.task);
        const data = { by, reason: `what was made of it is lost: ${reasonOf(each)}` };
        return task && isDue(task) ? [{ type, subject: subjectOf(stream, each.task), data }] : [];
      }),
    );
  await sayOfAll('work.lost', ({ isLost }) => !isLost);
  // Only what is lost can be begun anew: that has to be in the log by then.
  await sayOfAll('task.reopened', ({ machine }) => nameOf(machine.value) === 'done.completed');
}

function workMissing(sprint: string, missing: readonly MissingWork[]): WorkMissingError {
  return new WorkMissingError(
    `Cannot go on with sprint ${sprint}: what was done in these tasks is not in what was fetched: ${missingText(missing)}`,
    {
      code: 'WORK_MISSING',
      fix: `${howToPush(sprint, missing)}, then: clifford queue add ${sprint}. If that machine is lost, have these tasks done again with: clifford queue add ${sprint} --from-base`,
      recovery: 'give-up',
      tasks: missing.map(({ task }) => task),
    },
  );
}

/** What has no commit is found by the lines that Clifford's own commits have. */
function howToPush(stream: string, missing: readonly MissingWork[]): string {
  const byHand = missing.flatMap(({ task: taskId, attempt, runId }) =>
    attempt === undefined ? [] : [trailersByHand({ stream, taskId, attempt }, runId).join(' / ')],
  );
  return byHand.length === 0
    ? 'Push it from the machine where it was done'
    : `On the machine where it was done, make a commit of it whose message ends with these lines: ${byHand.join('; ')}. Push it to clifford-sprints/${stream}`;
}
