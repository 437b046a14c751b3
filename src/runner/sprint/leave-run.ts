import { CliffordError } from '../../errors.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { mayBeTriedAgain } from '../../events/log/may-be-tried-again.ts';
import { messageOf } from '../../lib/message-of.ts';
import { wordOf } from '../../machines/status-words.ts';
import { tryUndoUnfinishedLanding } from '../../workflow/landing/unfinished-landing.ts';
import { forgetRun } from '../../workflow/worktree/worktree-claims.ts';
import type { TemporaryEdits } from '../temporary-edits/temporary-edits.ts';
import { performAction, runnerName, type ActionDeps } from './perform-action.ts';

/** What a run has to do when it ends, for whatever reason. */
type LeaveDeps = ActionDeps & { readonly temporaryEdits: Pick<TemporaryEdits, 'undoAll'> };

/**
 * Leaves the sprint: no agent, no job, no changed file of the user's, and the log says that nobody runs it any more, as far as it can
 * be written.
 */
export async function leaveRun(deps: LeaveDeps, reason: string): Promise<void> {
  const { attempts, jobs } = deps.memory;
  const left = [...attempts.values(), ...jobs.values()].map((each) => each.abandon());
  // It is waited for every agent and job to be gone before it is said that one is not.
  await Promise.allSettled(left);
  await undoLanding(deps);
  const isLogAway = !(await recordEnds(deps));
  await deps.temporaryEdits.undoAll();
  await Promise.all(left);
  if (!isLogAway) await recordLeft(deps, reason);
  forgetOver(deps);
}

/** The note of this run, once the log says that it is over, or it was never begun. */
function forgetOver({ project, folder, memory: { run, takenUp, mayHaveBegun } }: LeaveDeps): void {
  const isUnknown = mayHaveBegun && !takenUp;
  if (run !== undefined && !isUnknown && project.state.streams.get(folder.manifest.id)?.runner?.run !== run)
    forgetRun(project, run);
}

/** One that was stopped in the middle would be staged in the user's files until somebody runs a sprint again. */
async function undoLanding({ project, listeners }: LeaveDeps): Promise<void> {
  const problem = await tryUndoUnfinishedLanding(project).catch(messageOf);
  if (problem !== undefined) listeners.emit('problem', problem);
}

/**
 * What an error did not let the turns record: as far as the log can be written. `false`: it cannot be for now, which whoever tries has to
 * wait for.
 */
async function recordEnds(deps: LeaveDeps): Promise<boolean> {
  try {
    for (const [runId, attempt] of deps.memory.attempts)
      if (attempt.view().phase === 'ended') await performAction(deps, { do: 'record-exit', runId });
    return true;
  } catch (error) {
    // The error that ended the run is the one to tell; the next run finds that the agents are gone.
    return !mayBeTriedAgain(error);
  }
}

/** Says in the log that nobody runs the sprint any more, unless it is over, as far as the log can be written. */
async function recordLeft({ project, folder, memory, isHelper }: LeaveDeps, reason: string): Promise<void> {
  const { id } = folder.manifest;
  const sprint = project.state.streams.get(id);
  if (isHelper || !memory.takenUp || !sprint || wordOf(sprint.machine.value) === 'done') return;
  const { run } = memory;
  const data = {
    runner: runnerName,
    ...(run !== undefined && { run }),
    reason: reason.slice(0, MAX_TEXT_LENGTH),
  };
  try {
    await project.record(id, [{ type: 'runner.left', subject: id, data }]);
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
  }
}
