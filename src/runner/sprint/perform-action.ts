import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { RunOptions } from '../../events/descriptors/sprint-events.ts';
import { subjectOf, type StoredEvent } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import { lostHolderOf } from '../../machines/lost-holder.ts';
import type { ProjectState, SprintState } from '../../machines/project-state.ts';
import { version } from '../../version.ts';
import { enterSprint } from '../../workflow/sprint/enter-sprint.ts';
import { manifestRemarks } from '../../workflow/sprint/manifest-remarks.ts';
import { skipRemovedTasks } from '../../workflow/sprint/skip-removed-tasks.ts';
import { giveBackLeftFiles, type TemporaryEdits } from '../temporary-edits/temporary-edits.ts';
import { forgetRun, noteRun } from '../../workflow/worktree/worktree-claims.ts';
import { sweepNotes } from '../../workflow/worktree/sweep-notes.ts';
import { exitVerdict, HOW_TO_COMPLETE } from '../reconcile/exit-verdict.ts';
import { removeLeftRunFiles } from '../attempt/left-run-files.ts';
import { endOrphans } from '../attempt/end-orphans.ts';
import { findOrphans } from '../attempt/orphans.ts';
import {
  recordJob,
  startCommit,
  startPreparation,
  startVerification,
  takeOverJobs,
} from '../jobs/perform-job.ts';
import type { JobDeps } from '../jobs/job-deps.ts';
import { offerAgain, startOffer, withdrawOffer } from '../jobs/share-jobs.ts';
import { settleMerge, startMerge, startRemoval } from '../jobs/worktree-jobs.ts';
import { askPrompt, endPrompt, typeAnswer, type PromptDeps } from '../prompts/perform-prompt.ts';
import { parking } from '../reconcile/parking.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import type { Action, RunnerView } from '../reconcile/runner-view.ts';
import type { StartAttempt } from '../attempt/start-attempt.ts';
import type { TaskPlans } from '../plan/task-plans.ts';

/** How the runner is named as the author of its decisions. */
export const RUNNER = 'clifford';

/** How the runner of this process is told from others, also where machines share the log. */
export const runnerName = `${RUNNER} ${version}, process ${process.pid} on ${hostname()}`;

/** What the actions need. */
export type ActionDeps = JobDeps & {
  readonly view: () => RunnerView;
  readonly startAttempt: StartAttempt;
  readonly temporaryEdits: Pick<TemporaryEdits, 'undo'>;
  readonly onEntered: () => void;
  readonly plans: Pick<TaskPlans, 'limits' | 'checksFor' | 'worktrees'>;
  /** As whoever started the run said. */
  readonly options?: RunOptions | undefined;
  readonly retryDelayMs: number;
  readonly killGraceMs: number;
  /** @throws {CliffordError} `SPRINT_RUNNING` when by this state a worker has the sprint, or is to have it. */
  readonly assertFree: (state: ProjectState) => void;
};

/** Does one action. Returns when it stands in the log; the end of an agent is awaited elsewhere. */
export async function performAction(
  deps: ActionDeps,
  action: Exclude<Action, { do: 'end' | 'wait' }>,
): Promise<void> {
  const { memory } = deps;
  const subject = deps.folder.manifest.id;
  switch (action.do) {
    case 'enter-sprint':
      await tellRemarks(deps);
      await enterSprint(deps.project, deps.folder);
      memory.entered = true;
      deps.onEntered();
      break;
    case 'end-orphans':
      await requireStillFree(deps);
      await takeOverJobs(deps, { graceMs: deps.killGraceMs });
      await endLeft(deps);
      await sweepNotes(deps.project, subject);
      tellProblems(deps, await giveBackLeftFiles(deps.project.dir));
      tellProblems(deps, removeLeftRunFiles(deps.project.dir));
      await requireStillFree(deps);
      await skipRemovedTasks(deps.project, deps.folder);
      await offerAgain(deps, deps.view().share?.away ?? []);
      memory.recovered = true;
      break;
    case 'reset-tasks': {
      const data = { by: RUNNER, reason: 'the sprint was run again' };
      await decide(deps, action, () =>
        action.taskIds.map((taskId) => ({ type: 'task.reset', subject: subjectOf(subject, taskId), data })),
      );
      break;
    }
    case 'start-sprint': {
      const { options } = deps;
      const { run } = memory;
      if (run !== undefined) await noteRun(deps.project, run);
      const data = {
        runner: runnerName,
        ...(await deps.plans.limits()),
        ...(options && { options }),
        ...(run !== undefined && { run }),
      };
      const before = deps.project.state.streams.get(subject)?.runner?.run;
      const stored = await decide(deps, action, () => {
        memory.mayHaveBegun = true;
        return [{ type: 'sprint.started', subject, data }];
      });
      memory.mayHaveBegun = stored.length > 0;
      if (stored.length === 0) break;
      memory.takenUp = true;
      if (before !== run) forgetRun(deps.project, before);
      break;
    }
    case 'start-attempt':
      if (await skipRemovedTasks(deps.project, deps.folder)) break;
      await deps.startAttempt(action, (choose) => decide(deps, action, choose));
      break;
    case 'record-stall': {
      const { runId, idleMs } = action;
      const taskId = memory.attempts.get(runId)?.view().taskId;
      const data = { runId, idleMs: Math.round(idleMs) };
      const stall = { type: 'agent.stalled', subject: subjectOf(subject, taskId), data } as const;
      await deps.project.record(subject, [stall]);
      break;
    }
    case 'stop-agent':
      memory.attempts.get(action.runId)?.stop(action.reason, action.detail);
      break;
    case 'park-agent':
      await parkAgent(deps, action);
      break;
    case 'steer-agent':
      await memory.attempts.get(action.runId)?.steer();
      break;
    case 'ask-prompt':
      await withPrompt(deps, action.runId, askPrompt);
      break;
    case 'type-answer':
      await withPrompt(deps, action.runId, typeAnswer);
      break;
    case 'end-prompt':
      await withPrompt(deps, action.runId, endPrompt);
      break;
    case 'record-facts':
      await memory.attempts.get(action.runId)?.recordFacts((facts) => deps.project.record(subject, facts));
      break;
    case 'record-exit':
      await recordExit(deps, action.runId);
      break;
    case 'prepare-task':
      if (await skipRemovedTasks(deps.project, deps.folder)) break;
      await startPreparation(deps, action.taskId);
      break;
    case 'start-verification':
      await startVerification(deps, action.taskId, { by: RUNNER, retryDelayMs: deps.retryDelayMs });
      break;
    case 'start-commit':
      await startCommit(deps, action.taskId);
      break;
    case 'start-merge':
      await startMerge(deps, action.taskId);
      break;
    case 'settle-merge':
      await settleMerge(deps, action.taskId);
      break;
    case 'start-removal':
      startRemoval(deps, action.taskId);
      break;
    case 'offer-task':
      startOffer(deps, action.taskId);
      break;
    case 'withdraw-offer':
      await withdrawOffer(deps, action.taskId);
      break;
    case 'stop-job':
      memory.jobs.get(action.jobId)?.stop();
      break;
    case 'record-job':
      await recordJob(deps, action.jobId);
      break;
    case 'complete-sprint':
      await decide(deps, action, () => [{ type: 'sprint.completed', subject, data: { by: RUNNER } }]);
      break;
    case 'fail-sprint': {
      const data = { reason: action.reason };
      await decide(deps, action, () => [{ type: 'sprint.failed', subject, data }]);
      break;
    }
  }
}

function tellProblems({ listeners }: Pick<ActionDeps, 'listeners'>, problems: readonly string[]): void {
  for (const problem of problems) listeners.emit('problem', problem);
}

/** Tells what may be a mistake in the manifest. */
async function tellRemarks(deps: ActionDeps): Promise<void> {
  const { project, folder } = deps;
  const sprint = (await project.refresh()).streams.get(folder.manifest.id);
  tellProblems(deps, await manifestRemarks(project.root, folder, sprint));
}

/**
 * Appends what an action decides, if it is still the thing to do on the newest state: someone may
 * have paused, skipped or answered in between. Then nothing is appended, and the next turn looks again.
 */
function decide(
  { project, folder, view, memory, assertFree }: ActionDeps,
  action: Action,
  choose: (sprint: SprintState) => readonly Candidate[],
): Promise<readonly StoredEvent[]> {
  return project.dispatch(folder.manifest.id, (state) => {
    if (!memory.takenUp) assertFree(state);
    const sprint = state.streams.get(folder.manifest.id);
    const isWanted = reconcile(view()).some((next) => isDeepStrictEqual(next, action));
    return sprint && isWanted ? choose(sprint) : [];
  });
}

/** Says that the agent is parked, if it still only waits, and ends it then: an answer that comes first finds it alive. */
async function parkAgent(deps: ActionDeps, action: Action & { do: 'park-agent' }): Promise<void> {
  const attempt = deps.memory.attempts.get(action.runId);
  if (!attempt) return;
  const parked = await decide(deps, action, (sprint) => parking(sprint, attempt.view(), Date.now()));
  if (parked.length === 0) return;
  attempt.remark('parked: the answer starts it again');
  attempt.stop('parked');
}

async function withPrompt(
  { project, folder, memory }: ActionDeps,
  runId: string,
  act: (deps: PromptDeps) => Promise<void>,
): Promise<void> {
  const attempt = memory.attempts.get(runId);
  if (attempt) await act({ project, stream: folder.manifest.id, attempt, by: RUNNER });
}

/** Records how an agent ended, and in the same append what that means for its task. */
async function recordExit(
  { project, folder, memory, temporaryEdits, listeners, retryDelayMs }: ActionDeps,
  runId: string,
) {
  const attempt = memory.attempts.get(runId);
  if (!attempt) return;
  const stream = folder.manifest.id;
  // The verdict on an agent depends on its start.
  const { taskId } = attempt.view();
  const run = (state: ProjectState) => state.streams.get(stream)?.tasks.get(taskId)?.agent;
  if (attempt.hasFactsBeforeEnd || run(project.state)?.runId !== runId)
    await attempt.recordFacts((facts) => project.record(stream, facts));
  const ending = attempt.ending();
  await temporaryEdits.undo(runId);
  let verdict: Candidate[] = [];
  await project.dispatch(stream, (state) => {
    const sprint = state.streams.get(stream);
    const { runId: latest, end } = run(state) ?? {};
    // An append of which nobody knew what became has come through.
    if (latest === runId && end) return [];
    verdict = sprint ? exitVerdict(sprint, ending.attempt, retryDelayMs) : [];
    return [...ending.facts, ...verdict];
  });
  if (verdict.length > 0 && ending.attempt.isWordless && !memory.hasToldHow) {
    memory.hasToldHow = true;
    listeners.emit('problem', HOW_TO_COMPLETE);
  }
  memory.attempts.delete(runId);
  memory.toCommit.add(taskId);
}

/** Somebody else's agents are at work, and not left behind, where one has taken it up meanwhile. */
async function requireStillFree({ project, memory, assertFree }: ActionDeps): Promise<void> {
  if (!memory.takenUp) assertFree(await project.refresh());
}

/** Ends what an earlier runner left behind, so that no task has two agents. */
async function endLeft(deps: ActionDeps): Promise<void> {
  // The end of the jobs has taken its time.
  await requireStillFree(deps);
  const { project, folder, view, memory, listeners, killGraceMs } = deps;
  const { sprint } = view();
  const orphans = sprint ? findOrphans(sprint.tasks.values()) : [];
  const silentMs = (taskId: string) => sprint && lostHolderOf(sprint, taskId)?.silentMs;
  const how = {
    stream: folder.manifest.id,
    by: 'the next one',
    graceMs: killGraceMs,
    silentMs,
    assertFree: memory.takenUp ? undefined : deps.assertFree,
  };
  tellProblems({ listeners }, await endOrphans(project, orphans, how));
}
