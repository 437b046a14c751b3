import { CliffordError } from '../../errors.ts';
import { subjectOf } from '../../events/envelope.ts';
import { commitTask } from '../../workflow/commit/commit-task.ts';
import { noteFiles } from '../../workflow/commit/note-files.ts';
import { tryGitAgain } from '../../workflow/git/try-git-again.ts';
import { WorkTreeSnapshots } from '../../workflow/commit/snapshot.ts';
import { nameOf } from '../../machines/status-words.ts';
import { packChecks } from '../../workflow/verify/attempt-checks.ts';
import { takeBaseline } from '../../workflow/verify/take-baseline.ts';
import { tryUndoUnfinishedLanding } from '../../workflow/landing/unfinished-landing.ts';
import { forgetRun } from '../../workflow/worktree/worktree-claims.ts';
import { workFolder } from '../../workflow/worktree/work-folder.ts';
import { verifyTask } from '../../workflow/verify/verify-task.ts';
import { currentEdits } from '../../workflow/temporary-edits/current-edits.ts';
import { bringBack } from './bring-here.ts';
import { jobMark, JOB_VARIABLE, startJob, type JobDeps } from './job-deps.ts';
import { variablesOf } from './prepare-worktree.ts';
import { findMarked } from '../attempt/orphans.ts';
import { verificationVerdict } from '../reconcile/exit-verdict.ts';
import { isByItself } from '../reconcile/next-tasks.ts';
import { terminate, terminateDescendants } from '../../lib/processes/terminate.ts';

/** Who says what a verification means for a task, and the delay before its second attempt, in ms. */
type VerdictOrder = { readonly by: string; readonly retryDelayMs: number };

/**
 * Before the first attempt at a task: runs the commands that will verify it, and notes how the files are
 * if its changes are to become a commit. Before each in a worktree: makes that fit for work.
 */
export async function startPreparation(deps: JobDeps, taskId: string): Promise<void> {
  const { project, folder, memory } = deps;
  const stream = folder.manifest.id;
  const task = project.state.streams.get(stream)?.tasks.get(taskId);
  const isApart =
    task?.worktree !== undefined || (deps.isolation === 'worktrees' && task && isByItself(task));
  const { commands: all, commit } = await deps.plans.checksFor(taskId);
  // What failed before its work is known of one that was begun.
  const known = new Set(task?.baseline.map(({ command }) => command));
  const isBegun = task !== undefined && nameOf(task.machine.value) !== 'pending';
  const commands = isBegun ? [] : all.filter((command) => !known.has(command));
  if (commands.length === 0 && !commit && !isApart) {
    memory.prepared.add(taskId);
    return;
  }
  const tellCommands = () => {
    if (commands.length > 0) deps.listeners.emit('prepare', { task: taskId, commands });
  };
  if (!isApart) tellCommands();
  const finish = () => {
    memory.prepared.add(taskId);
    return Promise.resolve();
  };
  startJob(deps, { kind: 'preparation', taskId, finish }, async ({ signal, tell }) => {
    if (isApart) {
      const problem = await setupProblem(() => tryGitAgain(() => bringBack(deps, taskId, signal), signal));
      if (problem !== undefined) memory.setupProblems.set(taskId, problem);
      if (problem !== undefined) return;
      tellCommands();
    }
    const now = project.state.streams.get(stream)?.tasks.get(taskId);
    const env = { ...jobMark(deps), ...(await variablesOf(deps, now)) };
    const place = project.at(workFolder(project, now));
    await takeBaseline(place, { stream, taskId, commands, env, signal, onFact: tell });
    if (!commit || isApart) return;
    const snapshots = new WorkTreeSnapshots(project.dir, stream);
    // What attempts before a reset have changed is the task's, too.
    if (hasBegun(deps, taskId) && (await snapshots.read(taskId))) return;
    await noteFiles(project, { stream, taskId, env, signal });
  });
}

/** Why a task has no worktree that is fit for work. `undefined`: it has. */
async function setupProblem(prepare: () => Promise<void>): Promise<string | undefined> {
  try {
    await prepare();
    return undefined;
  } catch (error) {
    if (
      error instanceof CliffordError &&
      ['UNCOMMITTED', 'SETUP_FAILED', 'FETCH_FAILED'].includes(error.code)
    )
      return error.inOneLine;
    throw error;
  }
}

/**
 * After an agent whose exit code says that its task is done: runs the commands that verify it, and records what
 * their end means for the task.
 */
export async function startVerification(deps: JobDeps, taskId: string, verdict: VerdictOrder): Promise<void> {
  const { project, folder, listeners } = deps;
  const stream = folder.manifest.id;
  const { commands, areOwn } = await deps.plans.checksFor(taskId);
  const task = project.state.streams.get(stream)?.tasks.get(taskId);
  const env = { ...jobMark(deps), ...(await variablesOf(deps, task)) };
  const place = project.at(workFolder(project, task));
  const isKnown = packChecks({ commands, areOwn }).digest === task?.checksDigest;
  const runId = task?.agent?.runId;
  let problem: string | undefined;
  const finish = async () => {
    await project.dispatch(stream, (state) => {
      const sprint = state.streams.get(stream);
      return sprint ? verificationVerdict(sprint, taskId, { ...verdict, problem }) : [];
    });
  };
  startJob(deps, { kind: 'verification', taskId, finish }, async ({ signal }) => {
    // Of an earlier run: what holds now is not what its agent was started for.
    if (!isKnown) {
      problem = CHANGED;
      return;
    }
    listeners.emit('verify', { task: taskId, commands });
    try {
      // Nobody has said what was done: commands that failed before have to succeed, too.
      await verifyTask(place, { stream, taskId, runId, commands, areOwn: true, env, signal });
    } catch (error) {
      if (!(error instanceof CliffordError && error.code === 'VERIFY_FAILED')) throw error;
      problem = error.message;
    }
  });
}

/** Why nothing was verified. */
const CHANGED = 'the commands that verify it have changed since its attempt began';

/** Makes the commit of a completed task, if one is wanted. */
export async function startCommit(deps: JobDeps, taskId: string): Promise<void> {
  const { project, folder } = deps;
  const stream = folder.manifest.id;
  const task = project.state.streams.get(stream)?.tasks.get(taskId);
  const { commit } = await deps.plans.checksFor(taskId);
  // Another one may have begun before its end is noted.
  const runId = task?.agent?.runId;
  if (!commit || !task) {
    await forgetCommit(deps, taskId, runId);
    return;
  }
  const { file, machine } = task;
  const { attempt } = machine.context;
  deps.listeners.emit('commit', { task: taskId });
  const finish = () => forgetCommit(deps, taskId, runId);
  startJob(deps, { kind: 'commit', taskId, finish }, async ({ signal, tell }) => {
    const before = await new WorkTreeSnapshots(project.dir, stream).read(taskId);
    const place = { signal, env: jobMark(deps), currentEdits: () => currentEdits(project) };
    const isRecordedElsewhere = deps.isHelper;
    const result = await commitTask(project, {
      stream,
      taskId,
      attempt,
      folder,
      file,
      before,
      isRecordedElsewhere,
      ...place,
    });
    const subject = subjectOf(stream, taskId);
    if (result.is === 'uncommitted') {
      tell({ type: 'task.uncommitted', subject, data: { reason: result.reason, attempt } });
      return;
    }
    const { sha, files, title, problem } = result;
    const named = title === undefined ? {} : { title };
    tell({ type: 'task.committed', subject, data: { sha, files: [...files], attempt, ...named } });
    if (problem !== undefined)
      deps.listeners.emit('problem', `the commit of task ${taskId} is made, but ${problem}`);
  });
}

/** Records what a job has to say, and takes note of its end. */
export async function recordJob(deps: JobDeps, jobId: string): Promise<void> {
  const { project, folder, memory } = deps;
  const job = memory.jobs.get(jobId);
  if (!job) return;
  await job.recordFacts((facts) => project.record(folder.manifest.id, facts));
  const { phase, hasFacts } = job.view();
  if (phase !== 'ended' || hasFacts) return;
  await job.finish();
  memory.jobs.delete(jobId);
}

/** Ends the jobs that an earlier runner left behind, undoes an unfinished landing, and takes note of the commits it did not come to. */
export async function takeOverJobs(deps: JobDeps, { graceMs }: { graceMs: number }): Promise<void> {
  const { project, folder, memory } = deps;
  const find = () => findMarked(JOB_VARIABLE, jobMark(deps)[JOB_VARIABLE]);
  const left = find();
  if (left.length > 0) {
    await terminate(left, { graceMs });
    await terminateDescendants(find);
  }
  const problem = await tryUndoUnfinishedLanding(project);
  if (problem !== undefined) deps.listeners.emit('problem', problem);
  for (const task of await new WorkTreeSnapshots(project.dir, folder.manifest.id).tasks())
    memory.toCommit.add(task);
}

async function forgetCommit(
  { project, folder, memory }: JobDeps,
  taskId: string,
  runId: string | undefined,
): Promise<void> {
  memory.toCommit.delete(taskId);
  await new WorkTreeSnapshots(project.dir, folder.manifest.id).remove(taskId);
  forgetRun(project, runId);
}

function hasBegun({ project, folder }: JobDeps, taskId: string): boolean {
  const task = project.state.streams.get(folder.manifest.id)?.tasks.get(taskId);
  return task !== undefined && task.machine.context.attempt > 0;
}
