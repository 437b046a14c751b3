import { isDeepStrictEqual } from 'node:util';
import type { TaskState } from '../../machines/task-state.ts';
import { completeTask, type Completable } from '../../workflow/task/set-task-status.ts';
import { requireTask } from '../../workflow/task/require-task.ts';
import { workFolder } from '../../workflow/worktree/work-folder.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import type { AttemptChecks } from '../../workflow/verify/attempt-checks.ts';
import { checksFor } from '../../workflow/verify/checks-for.ts';
import type { Excused } from '../../workflow/verify/verify-task.ts';
import { after, untilLimit } from '../../gateway/wait/call-limit.ts';
import { keepAlive } from '../../gateway/wait/keep-alive.ts';
import type { ToolCall } from '../../gateway/call/tool.ts';
import { waitedText } from '../../lib/time/duration.ts';
import type { SharedVerification, VerificationEnd } from '../../gateway/call/running-verification.ts';

/**
 * How long an end that no call was there to be told counts for the next one, in ms. Later the agent has
 * gone on working, and what was verified is no longer what is there.
 */
const KEPT_MS = 60_000;

/** A task, with its sprint as the folder describes it, and what the agent says of it. */
type TaskPlace = {
  readonly stream: string;
  readonly taskId: string;
  readonly folder: SprintFolder;
  readonly summary?: string | undefined;
};

/** A completed task, and the commands that failed before and after the work. */
type Completion = { readonly task: TaskState; readonly excused: readonly Excused[] };

/**
 * Completes a task after the commands that have to succeed before. Calls about one task share them: they
 * never run twice at once, and not again once the task is completed. `undefined`: the client would have
 * given the call up; the commands go on, and the next call waits for them.
 *
 * @throws {CliffordError} `VERIFY_FAILED`; `TASK_SETTINGS_INVALID`, `CHECKS_CHANGED` when it is not known what to run;
 *   what {@link completeTask} throws.
 * @throws the abort reason when the call is cancelled. Nothing of the commands is left.
 */
export async function completeVerified(
  call: ToolCall,
  { folder, ...about }: TaskPlace,
): Promise<Completion | undefined> {
  const { project, session, agent } = call;
  const { env, report, configMemory } = session;
  const completion = await completeTask(project, { ...about, agent }, async (what) => {
    const checks = await checksFor(project, { ...about, folder, agent, env, report, configMemory });
    return checks.commands.length > 0 ? verified(call, { ...about, what, checks }) : [];
  });
  return completion && { task: completion.task, excused: completion.verified ?? [] };
}

/** What is verified, and by what. */
type Work = Pick<TaskPlace, 'stream' | 'taskId'> & {
  readonly what: Completable;
  readonly checks: AttemptChecks;
};

/**
 * Waits for the end of the commands. Returns those that are excused; `undefined`: they have not all ended,
 * and the client would not wait longer.
 */
async function verified(call: ToolCall, work: Work): Promise<readonly Excused[] | undefined> {
  const { session, signal, progress } = call;
  const verification = sharedVerification(call, work);
  const { promise: left, resolve: leave } = Promise.withResolvers<undefined>();
  const end = () => leave(undefined);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const release = [
    after(untilLimit(call), end),
    keepAlive({
      send: progress,
      everyMs: session.waitSettings.progressMs,
      message: (ms) => `verifying task ${work.taskId} ${waitedText(ms)}`,
    }),
  ];
  verification.callers += 1;
  const outcome = await Promise.race([verification.outcome, left]);
  verification.callers -= 1;
  signal.removeEventListener('abort', end);
  for (const each of release) each?.();

  if (outcome) verification.forget();
  if (signal.aborted) {
    // Another call may wait for the same commands.
    if (verification.callers === 0) {
      verification.stop.abort(signal.reason);
      await verification.outcome;
    }
    signal.throwIfAborted();
  }
  if (outcome?.is === 'failed') throw outcome.error;
  return outcome?.excused;
}

/** The verification of a task in this session: the one under way or that ended a moment ago, or a new one. */
function sharedVerification(
  { project, session, agent, background }: ToolCall,
  { stream, taskId, ...subject }: Work,
): SharedVerification {
  const known = session.verifications;
  const key = JSON.stringify([stream, taskId]);
  const running = known.get(key);
  const isSame = isDeepStrictEqual(running?.subject, subject);
  if (running && isSame && !running.stop.signal.aborted && isRecent(running)) return running;

  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, session.ending.signal]);
  const run = async (): Promise<VerificationEnd> => {
    try {
      // Before this one, what is being stopped, or verifies an earlier attempt, has to be gone.
      await running?.outcome;
      // Imported late: most tasks have no commands, and no other tool starts programs.
      const { verifyTask } = await import('../../workflow/verify/verify-task.ts');
      const { runId } = agent;
      const { task } = requireTask(project.state, { stream, taskId });
      const place = project.at(workFolder(project, task));
      const excused = await verifyTask(place, { stream, taskId, runId, ...subject.checks, signal });
      return { is: 'verified', excused };
    } catch (error) {
      return { is: 'failed', error };
    }
  };
  const outcome = run();
  background(outcome);
  const verification: SharedVerification = {
    subject,
    outcome,
    stop,
    callers: 0,
    endedAt: undefined,
    forget: () => {
      if (known.get(key) === verification) known.delete(key);
    },
  };
  known.set(key, verification);
  void outcome.then(() => {
    verification.endedAt = performance.now();
  });
  return verification;
}

function isRecent({ endedAt }: SharedVerification): boolean {
  return endedAt === undefined || performance.now() - endedAt < KEPT_MS;
}
