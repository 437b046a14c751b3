import { completionIsDue } from '../../workflow/task/set-task-status.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import type { AttemptChecks } from '../../workflow/verify/attempt-checks.ts';
import { checksFor } from '../../workflow/verify/checks-for.ts';
import type { Excused, Verification } from '../../workflow/verify/verify-task.ts';
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

/** A task, with its sprint as the folder describes it. */
type TaskPlace = { readonly stream: string; readonly taskId: string; readonly folder: SprintFolder };

/** A completed task, and the commands that failed before and after the work. */
type Completion<T> = { readonly task: T; readonly excused: readonly Excused[] };

/**
 * Completes a task after the commands that have to succeed before. Calls about one task share them: they
 * never run twice at once, and not again once the task is completed. `undefined`: the client would have
 * given the call up; the commands go on, and the next call waits for them.
 *
 * @throws {CliffordError} `VERIFY_FAILED`; `TASK_SETTINGS_INVALID`, `CHECKS_CHANGED` when it is not known what to run;
 *   what `complete` throws.
 * @throws the abort reason when the call is cancelled. Nothing of the commands is left.
 */
export async function completeVerified<T>(
  call: ToolCall,
  place: TaskPlace,
  complete: () => Promise<T>,
): Promise<Completion<T> | undefined> {
  const checks = await checksOf(call, place);
  const excused = checks && checks.commands.length > 0 ? await verified(call, place, checks) : [];
  return excused && { task: await complete(), excused };
}

async function checksOf(
  { project, session, agent }: ToolCall,
  { stream, taskId, folder }: TaskPlace,
): Promise<AttemptChecks | undefined> {
  // A completion that would be refused, or that is nothing new, costs no time.
  if (!completionIsDue(project.state, { stream, taskId, agent })) return undefined;
  const { env, report } = session;
  return checksFor(project, { stream, taskId, folder, agent, env, report });
}

/**
 * Waits for the end of the commands. Returns those that are excused; `undefined`: they have not all ended,
 * and the client would not wait longer.
 */
async function verified(
  call: ToolCall,
  { stream, taskId }: TaskPlace,
  { commands, areOwn }: AttemptChecks,
): Promise<readonly Excused[] | undefined> {
  const { session, signal, progress } = call;
  const verification = sharedVerification(call, { stream, taskId, commands, areOwn });
  const { promise: left, resolve: leave } = Promise.withResolvers<undefined>();
  const end = () => leave(undefined);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const release = [
    after(untilLimit(call), end),
    keepAlive({
      send: progress,
      everyMs: session.waitSettings.progressMs,
      message: (ms) => `verifying task ${taskId} ${waitedText(ms)}`,
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
  { stream, taskId, commands, areOwn }: Pick<Verification, 'stream' | 'taskId' | 'commands' | 'areOwn'>,
): SharedVerification {
  const known = session.verifications;
  const key = JSON.stringify([stream, taskId]);
  const running = known.get(key);
  if (running && !running.stop.signal.aborted && isRecent(running)) return running;

  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, session.ending.signal]);
  const run = async (): Promise<VerificationEnd> => {
    try {
      // Before this one, what is being stopped has to be gone.
      await running?.outcome;
      // Imported late: most tasks have no commands, and no other tool starts programs.
      const { verifyTask } = await import('../../workflow/verify/verify-task.ts');
      const { runId } = agent;
      const excused = await verifyTask(project, { stream, taskId, runId, commands, areOwn, signal });
      return { is: 'verified', excused };
    } catch (error) {
      return { is: 'failed', error };
    }
  };
  const outcome = run();
  background(outcome);
  const verification: SharedVerification = {
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
